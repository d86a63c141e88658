import type { z } from 'zod';
import { canManageWebhooks } from '../../access/webhook.ts';
import type { Context } from '../../context.ts';
import type { WebhookSecret } from '../../store/records/webhook.ts';
import { newSecret, validSecrets } from '../../webhooks/sign.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { integer, validate } from '../input.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import {
  attachNewSecret,
  endpointIn,
  lockOfEndpoint,
  type WebhookEndpoint,
  withoutSecrets,
  writeEndpoint,
} from './endpoint.ts';
import { endpointIdInput } from './endpoint-input.ts';

export const rotateWebhookSecretInput = endpointIdInput.extend({
  keepHours: integer({ min: 0, max: 168 })
    .nullish()
    .describe('Hours for which deliveries are also signed with the previous secret. Default: 24.'),
});

/** Enables an endpoint, and sends deliveries that waited while it was disabled. @throws {OperationError} NOT_FOUND */
export async function enableWebhookEndpoint(
  context: Context,
  input: z.input<typeof endpointIdInput>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpointIn(context, validate(endpointIdInput, input).endpointId);
  if (endpoint.enabled) return withoutSecrets(endpoint);
  return context.transaction(
    (session) =>
      writeEndpoint(context, session, endpoint, {
        $set: { enabled: true, disabledReason: null, disabledAt: null, failingSince: null, heldUntil: null },
        $min: { dueAt: context.now() },
        $inc: { queued: 1 },
      }),
    lockOfEndpoint(context, endpoint.endpointId),
  );
}

/** Disables an endpoint: nothing is sent or enqueued until it is enabled. @throws {OperationError} NOT_FOUND */
export async function disableWebhookEndpoint(
  context: Context,
  input: z.input<typeof endpointIdInput>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpointIn(context, validate(endpointIdInput, input).endpointId);
  if (!endpoint.enabled) return withoutSecrets(endpoint);
  return context.transaction(
    (session) =>
      writeEndpoint(context, session, endpoint, {
        $set: { enabled: false, disabledReason: 'admin', disabledAt: context.now() },
        $unset: { dueAt: '' },
        $inc: { queued: 1 },
      }),
    lockOfEndpoint(context, endpoint.endpointId),
  );
}

/** Deletes an endpoint with its secrets; pending deliveries are dropped. @throws {OperationError} NOT_FOUND */
export async function deleteWebhookEndpoint(
  context: Context,
  input: z.input<typeof endpointIdInput>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpointIn(context, validate(endpointIdInput, input).endpointId);
  const { networkId, endpointId } = endpoint;
  await context.transaction(
    async (session) => {
      await requireNetworkRight(context, session, canManageWebhooks);
      await context.store.collections.webhookEndpoints.deleteOne({ networkId, endpointId }, { session });
      await recordAudit(context, session, [{ subjectType: 'webhookEndpoint', subjectId: endpointId }]);
    },
    lockOfEndpoint(context, endpointId),
  );
  return withoutSecrets(endpoint);
}

const DEFAULT_KEEP_HOURS = 24;
/** Maximum secrets that sign each delivery. */
const MAX_SECRETS = 3;
const HOUR_MS = 3_600_000;

/**
 * Creates a secret, which only this response contains. Previous secrets stay valid for `keepHours`, by default a day, so
 * that the receiver can switch: until then deliveries are signed with each, at most three.
 *
 * @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND
 */
export async function rotateWebhookSecret(
  context: Context,
  input: z.input<typeof rotateWebhookSecretInput>,
): Promise<WebhookEndpoint> {
  const { endpointId, keepHours } = validate(rotateWebhookSecretInput, input);
  await endpointIn(context, endpointId);
  const key = newSecret();
  const changed = await context.transaction(
    async (session) => {
      const endpoint = await endpointIn(context, endpointId, session);
      const now = context.now();
      const endsAt = new Date(now.getTime() + (keepHours ?? DEFAULT_KEEP_HOURS) * HOUR_MS);
      const before = validSecrets(endpoint.secrets, now).map((secret) => withEnd(secret, endsAt));
      const secrets = [{ key, createdAt: now, endsAt: null }, ...validSecrets(before, now)].slice(0, MAX_SECRETS);
      return writeEndpoint(context, session, endpoint, { $set: { secrets } });
    },
    lockOfEndpoint(context, endpointId),
  );
  return attachNewSecret(changed, key);
}

/** The secret with an end of validity; an earlier end is kept. */
function withEnd(secret: WebhookSecret, endsAt: Date): WebhookSecret {
  return { ...secret, endsAt: secret.endsAt !== null && secret.endsAt < endsAt ? secret.endsAt : endsAt };
}
