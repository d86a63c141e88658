import type { z } from 'zod';
import { canChangeNetworkSettings } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { validate } from '../input.ts';
import { changeSettings } from '../network/change-settings.ts';
import { updateNetworkSettingsInput } from '../network/network-settings-input.ts';
import type { ReadableSettings } from '../network/readable-settings.ts';
import { changesOf, objectWith, SETTING_NAMES, valueAt } from '../network/setting-names.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';

/**
 * Changes settings of the viewer's network. Absent ones keep their value.
 * @returns all settings after the change
 * @throws {OperationError} PERMISSION_DENIED; INVALID_PARAMETERS
 */
export async function updateNetworkSettings(
  context: Context,
  input: z.input<typeof updateNetworkSettingsInput>,
): Promise<ReadableSettings> {
  const viewer = viewerOf(context);
  const changes = changesOf(validate(updateNetworkSettingsInput, input));
  if (!canChangeNetworkSettings(viewer)) throw new OperationError('PERMISSION_DENIED');
  return changeSettings(context, {
    networkId: viewer.networkId,
    changes,
    authorize: (session) => requireNetworkRight(context, session, canChangeNetworkSettings),
  });
}

/**
 * Changes one setting for the operator of the gateway, who needs no session.
 * @returns its value after the change
 * @throws {OperationError} NOT_FOUND for an unknown name; INVALID_PARAMETERS
 */
export async function changeSettingAsOperator(
  context: Context,
  { networkId, name, value }: { networkId: string; name: string; value: unknown },
): Promise<unknown> {
  if (!SETTING_NAMES.includes(name)) throw notFound('Setting');
  const changes = changesOf(validate(updateNetworkSettingsInput, objectWith(name, value)));
  const settings = await changeSettings(context, { networkId, changes, authorize: async () => undefined });
  return valueAt(settings, name);
}
