import { z } from 'zod';
import { canManageWebhooks } from '../../access/webhook.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { validate } from '../input.ts';
import { changeSettings } from '../network/change-settings.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';

export const switchWebhooksInput = z.object({ enabled: z.boolean().describe('Whether webhooks are sent.') });

/**
 * Switches all webhooks of the network on or off. Events that occur while they are off are not enqueued; deliveries
 * enqueued before are still sent.
 *
 * @throws {OperationError} PERMISSION_DENIED
 */
export async function switchWebhooks(
  context: Context,
  input: z.input<typeof switchWebhooksInput>,
): Promise<{ enabled: boolean }> {
  const viewer = viewerOf(context);
  const { enabled } = validate(switchWebhooksInput, input);
  if (!canManageWebhooks(viewer)) throw new OperationError('PERMISSION_DENIED');
  const { networkId } = viewer;
  await changeSettings(context, {
    networkId,
    changes: { 'webhook.enabled': enabled },
    authorize: (session) => requireNetworkRight(context, session, canManageWebhooks),
  });
  return { enabled };
}
