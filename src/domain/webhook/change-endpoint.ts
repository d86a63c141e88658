import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { WebhookSecret } from '../../store/records/webhook.ts';
import { newSecret, validSecrets } from '../../webhooks/sign.ts';
import { validate, whole } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { endpointIn, tellSecret, type WebhookEndpoint, withoutSecrets, writeEndpoint } from './endpoint.ts';
import { endpointIdInput } from './endpoint-input.ts';

export const rotateWebhookSecretInput = endpointIdInput.extend({
  keepHours: whole({ min: 0, max: 168 })
    .nullish()
    .describe('Hours for which deliveries are also signed with the previous secret. Default: 24.'),
});

/** Sends again; what waited since it was disabled goes out. @throws {OperationError} NOT_FOUND */
export async function enableWebhookEndpoint(
  context: Context,
  asked: z.input<typeof endpointIdInput>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpointIn(context, validate(endpointIdInput, asked).endpointId);
  if (endpoint.enabled) return withoutSecrets(endpoint);
  return context.transaction((session) =>
    writeEndpoint(context, session, endpoint, {
      $set: { enabled: true, disabledReason: null, disabledAt: null, failingSince: null, heldUntil: null },
      $min: { dueAt: context.now() },
      $inc: { queued: 1 },
    }),
  );
}

/** Sends nothing until it is enabled, and takes nothing new in. @throws {OperationError} NOT_FOUND */
export async function disableWebhookEndpoint(
  context: Context,
  asked: z.input<typeof endpointIdInput>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpointIn(context, validate(endpointIdInput, asked).endpointId);
  if (!endpoint.enabled) return withoutSecrets(endpoint);
  return context.transaction((session) =>
    writeEndpoint(context, session, endpoint, {
      $set: { enabled: false, disabledReason: 'admin', disabledAt: context.now() },
      $unset: { dueAt: '' },
      $inc: { queued: 1 },
    }),
  );
}

/** Removes an endpoint with its secrets; what waits for it is never sent. @throws {OperationError} NOT_FOUND */
export async function deleteWebhookEndpoint(
  context: Context,
  asked: z.input<typeof endpointIdInput>,
): Promise<WebhookEndpoint> {
  const endpoint = await endpointIn(context, validate(endpointIdInput, asked).endpointId);
  const { networkId, endpointId } = endpoint;
  await context.transaction(async (session) => {
    await context.store.collections.webhookEndpoints.deleteOne({ networkId, endpointId }, { session });
  });
  return withoutSecrets(endpoint);
}

const KEEP_HOURS = 24;
/** Secrets that deliveries are signed with at most. */
const MAX_SECRETS = 3;
const HOUR_MS = 3_600_000;

/**
 * Makes a new secret, which only this answer tells. Those before it stay valid for `keepHours`, a day unless told, so
 * that the receiver can change over: meanwhile deliveries are signed with each, of three at most.
 *
 * @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND
 */
export async function rotateWebhookSecret(
  context: Context,
  asked: z.input<typeof rotateWebhookSecretInput>,
): Promise<WebhookEndpoint> {
  const { endpointId, keepHours } = validate(rotateWebhookSecretInput, asked);
  await endpointIn(context, endpointId);
  const key = newSecret();
  const changed = await context.transaction(
    async (session) => {
      const endpoint = await endpointIn(context, endpointId, session);
      const now = context.now();
      const endsAt = new Date(now.getTime() + (keepHours ?? KEEP_HOURS) * HOUR_MS);
      const before = validSecrets(endpoint.secrets, now).map((secret) => ending(secret, endsAt));
      const secrets = [{ key, createdAt: now, endsAt: null }, ...validSecrets(before, now)].slice(0, MAX_SECRETS);
      return writeEndpoint(context, session, endpoint, { $set: { secrets } });
    },
    lockFor(context, 'record', `webhook ${endpointId}`),
  );
  return tellSecret(changed, key);
}

/** One that ends sooner keeps its end. */
function ending(secret: WebhookSecret, endsAt: Date): WebhookSecret {
  return { ...secret, endsAt: secret.endsAt !== null && secret.endsAt < endsAt ? secret.endsAt : endsAt };
}
