import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { updateSocialSettingsInput } from '../network/network-settings-input.ts';
import type { ReadableSettings } from '../network/readable-settings.ts';
import { updateNetworkSettings } from './update-network-settings.ts';

/**
 * Changes the settings of profiles and feeds. Absent ones keep their value.
 * @throws {OperationError} PERMISSION_DENIED
 */
export function updateSocialSettings(
  context: Context,
  input: z.input<typeof updateSocialSettingsInput>,
): Promise<ReadableSettings> {
  return updateNetworkSettings(context, { social: input });
}
