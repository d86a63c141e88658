import type { ClientSession, UpdateFilter } from 'mongodb';
import { canManageWebhooks } from '../../access/webhook.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { WebhookEndpointRecord, WebhookSecret } from '../../store/records/webhook.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { lockFor } from '../lock-for.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';

/** An endpoint without its secrets and access token, safe for responses and logs. */
export type WebhookEndpoint = Omit<WebhookEndpointRecord, 'secrets' | 'accessToken'> & {
  secrets: Array<Omit<WebhookSecret, 'key'>>;
  hasAccessToken: boolean;
};

export function withoutSecrets({ secrets, accessToken, ...endpoint }: WebhookEndpointRecord): WebhookEndpoint {
  return {
    ...endpoint,
    secrets: secrets.map(({ createdAt, endsAt }) => ({ createdAt, endsAt })),
    hasAccessToken: accessToken !== null,
  };
}

/** By endpoint of a response, so that nothing outlives the response. */
const newSecrets = new WeakMap<WebhookEndpoint, string>();

/**
 * Associates a new secret with the response that returns it. The endpoint itself does not contain the secret, so that
 * stored responses (idempotency) do not either.
 */
export function attachNewSecret(endpoint: WebhookEndpoint, secret: string): WebhookEndpoint {
  newSecrets.set(endpoint, secret);
  return endpoint;
}

/** The secret created by this operation; null when a stored response is replayed. */
export function newSecretOf(endpoint: WebhookEndpoint): string | null {
  return newSecrets.get(endpoint) ?? null;
}

/** An endpoint of the viewer's network; null if it does not exist or the viewer does not manage webhooks. */
export async function getWebhookEndpoint(
  context: Context,
  { endpointId }: { endpointId: string },
): Promise<WebhookEndpoint | null> {
  const viewer = viewerOf(context);
  if (!canManageWebhooks(viewer)) return null;
  const { networkId } = viewer;
  const found = await context.store.collections.webhookEndpoints.findOne({ networkId, endpointId });
  return found && withoutSecrets(found);
}

/** The stored record of an endpoint, with its secrets. @throws {OperationError} NOT_FOUND */
export async function endpointIn(
  context: Context,
  endpointId: string,
  session?: ClientSession,
): Promise<WebhookEndpointRecord> {
  const viewer = viewerOf(context);
  const { networkId } = viewer;
  const found = canManageWebhooks(viewer)
    ? await context.store.collections.webhookEndpoints.findOne({ networkId, endpointId }, session ? { session } : {})
    : null;
  if (!found) throw notFound('Webhook endpoint');
  return found;
}

/** The lock of transactions that write an endpoint. */
export function lockOfEndpoint(context: Context, endpointId: string): TransactionOptions {
  return lockFor(context, 'record', `webhook ${endpointId}`);
}

/** Updates an endpoint's record. @throws {OperationError} NOT_FOUND; PERMISSION_DENIED if the viewer lost the right meanwhile */
export async function writeEndpoint(
  context: Context,
  session: ClientSession,
  { endpointId }: { endpointId: string },
  { $set, ...update }: UpdateFilter<WebhookEndpointRecord>,
): Promise<WebhookEndpoint> {
  const { networkId } = viewerOf(context);
  await requireNetworkRight(context, session, canManageWebhooks);
  const changed = await context.store.collections.webhookEndpoints.findOneAndUpdate(
    { networkId, endpointId },
    { ...update, $set: { ...$set, updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!changed) throw notFound('Webhook endpoint');
  await recordAudit(context, session, [{ subjectType: 'webhookEndpoint', subjectId: endpointId }]);
  return withoutSecrets(changed);
}
