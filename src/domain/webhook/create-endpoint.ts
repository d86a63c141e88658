import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { canManageWebhooks } from '../../access/webhook.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { WebhookEndpointRecord } from '../../store/records/webhook.ts';
import { newSecret } from '../../webhooks/sign.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { lockNetwork } from '../network/lock-network.ts';
import { requireNetworkRight } from '../user/roles/require-network-right.ts';
import { attachNewSecret, type WebhookEndpoint, withoutSecrets } from './endpoint.ts';
import { type CheckSelection, checkEndpointSelection, checkEndpointUrl, endpointFields } from './endpoint-input.ts';

const { url, events, method, accessToken, selection } = endpointFields;
export const createWebhookEndpointInput = z.object({
  url,
  events,
  method: method.nullish(),
  accessToken: accessToken.nullish(),
  selection: selection.nullish(),
});

export type CreateWebhookEndpointInput = z.input<typeof createWebhookEndpointInput>;

/**
 * Creates an enabled endpoint with a secret that only this response contains.
 * @throws {OperationError} INVALID_PARAMETERS, also for a URL that webhooks are not sent to; PERMISSION_DENIED;
 *   BAD_REQUEST if the network has the maximum number of endpoints
 */
export async function createWebhookEndpoint(
  context: Context,
  input: CreateWebhookEndpointInput,
  checkSelection: CheckSelection,
): Promise<WebhookEndpoint> {
  const viewer = viewerOf(context);
  if (!canManageWebhooks(viewer)) throw new OperationError('PERMISSION_DENIED');
  const given = validate(createWebhookEndpointInput, input);
  if (given.selection) checkEndpointSelection(checkSelection, given.selection, given.events);
  const now = context.now();
  const _id = new ObjectId();
  const secret = newSecret();
  const endpoint: WebhookEndpointRecord = {
    _id,
    networkId: viewer.networkId,
    endpointId: _id.toHexString(),
    url: await checkEndpointUrl(context, given.url),
    secrets: [{ key: secret, createdAt: now, endsAt: null }],
    events: given.events,
    method: given.method ?? 'POST',
    accessToken: given.accessToken ?? null,
    payload: given.selection ? 'selection' : 'documented',
    selection: given.selection ?? null,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    queued: 0,
    heldUntil: null,
    createdAt: now,
    updatedAt: now,
  };
  await insert(context, endpoint);
  return attachNewSecret(withoutSecrets(endpoint), secret);
}

async function insert(context: Context, endpoint: WebhookEndpointRecord): Promise<void> {
  const { networkId } = endpoint;
  const { WEBHOOK_LIMIT } = context.config;
  const { webhookEndpoints } = context.store.collections;
  await context.transaction(
    async (session) => {
      await requireNetworkRight(context, session, canManageWebhooks);
      await lockNetwork(context, session);
      if ((await webhookEndpoints.countDocuments({ networkId }, { session })) >= WEBHOOK_LIMIT) {
        throw new OperationError('BAD_REQUEST', { message: `At most ${WEBHOOK_LIMIT} webhook endpoints.` });
      }
      await webhookEndpoints.insertOne(endpoint, { session });
      await recordAudit(context, session, [{ subjectType: 'webhookEndpoint', subjectId: endpoint.endpointId }]);
    },
    lockFor(context, 'record', 'webhook endpoints'),
  );
}
