import type { ClientSession, UpdateFilter } from 'mongodb';
import { canManageWebhooks } from '../../access/webhook.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { WebhookEndpointRecord, WebhookSecret } from '../../store/records/webhook.ts';

/** An endpoint as doors and logs may see it: without its secrets and its token. */
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

const told = new WeakMap<WebhookEndpoint, string>();

/** Remembers a new secret for the one answer that tells it; what is kept of the answer does not hold it. */
export function tellSecret(endpoint: WebhookEndpoint, secret: string): WebhookEndpoint {
  told.set(endpoint, secret);
  return endpoint;
}

/** The secret that was made with this very answer; null when the answer is given again. */
export function secretToTell(endpoint: WebhookEndpoint): string | null {
  return told.get(endpoint) ?? null;
}

/** One endpoint of the viewer's network; null when it is absent, and for whoever does not manage webhooks. */
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

/** The record itself, secrets and all, for an operation. @throws {OperationError} NOT_FOUND */
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

/** Changes an endpoint. @throws {OperationError} NOT_FOUND */
export async function writeEndpoint(
  context: Context,
  session: ClientSession,
  { endpointId }: { endpointId: string },
  { $set, ...update }: UpdateFilter<WebhookEndpointRecord>,
): Promise<WebhookEndpoint> {
  const { networkId } = viewerOf(context);
  const changed = await context.store.collections.webhookEndpoints.findOneAndUpdate(
    { networkId, endpointId },
    { ...update, $set: { ...$set, updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!changed) throw notFound('Webhook endpoint');
  return withoutSecrets(changed);
}
