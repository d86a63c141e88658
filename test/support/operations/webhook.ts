import { ObjectId } from 'mongodb';
import type { Collections } from '../../../src/store/collections.ts';
import { newDelivery } from '../../../src/webhooks/queue.ts';
import { newSecret } from '../../../src/webhooks/sign.ts';
import { AUDIT } from './audit.ts';

const ENDPOINT = 'eeeeeeeeeeeeeeeeeeeeeeee';
const EVENT = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const BODY = 'bbbbbbbbbbbbbbbbbbbbbbbb';
const DELIVERY = `${ENDPOINT}-${EVENT}`;

/** Ids of the records that {@link prepareWebhooks} inserts. */
export const WEBHOOK_IDS = { endpointId: ENDPOINT, eventId: EVENT, deliveryId: DELIVERY };

/** Inserts an endpoint with a delivery that is not sent; the sample network has none. */
export async function prepareWebhooks({
  webhookEndpoints,
  webhookDeliveries,
  webhookBodies,
  events,
}: Collections): Promise<void> {
  const now = new Date();
  const networkId = 'default';
  const dates = { createdAt: now, updatedAt: now };
  await webhookEndpoints.insertOne({
    _id: new ObjectId(),
    networkId,
    endpointId: ENDPOINT,
    url: 'https://1.1.1.1/hook',
    secrets: [{ key: newSecret(), createdAt: now, endsAt: null }],
    events: ['v3.post.didCreate'],
    method: 'POST',
    accessToken: null,
    payload: 'documented',
    selection: null,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    queued: 0,
    heldUntil: null,
    ...dates,
  });
  const expiresAt = new Date(now.getTime() + 86_400_000);
  const source = {
    _id: new ObjectId(EVENT),
    eventId: EVENT,
    commitId: EVENT,
    networkId,
    type: 'post.created',
    path: `${networkId}/post`,
    data: { postId: 'seedlings' },
    actorId: null,
    senderId: 'test',
    ...dates,
    expiresAt,
  };
  await events.insertOne(source);
  const delivery = { networkId, endpointId: ENDPOINT, eventId: EVENT, event: 'v3.post.didCreate', source };
  await webhookBodies.insertOne({
    ...{ _id: new ObjectId(), networkId, bodyId: BODY, eventId: EVENT, body: '{}', expiresAt, ...dates },
  });
  await webhookDeliveries.insertOne({
    ...newDelivery({ ...delivery, cursor: null, body: null }, { now, retentionMs: 86_400_000 }),
    bodyId: BODY,
  });
}

const mutation = (name: string, input: string) => `mutation { ${name}(input: { ${input} }) { __typename } }`;
const onEndpoint = (name: string, more = '') => mutation(name, `endpointId: "${ENDPOINT}"${more}`);

/** Operations of administrators; the last ones remove what the others need. */
export const WEBHOOK_OPERATIONS: Array<{ query: string; budget: number; as: string }> = [
  { query: `{ webhookEndpoint(endpointId: "${ENDPOINT}") { url secrets { endsAt } } }`, budget: 2 },
  { query: '{ webhookEndpoints(first: 10) { edges { node { url } } } }', budget: 2 },
  { query: `{ webhookDelivery(deliveryId: "${DELIVERY}") { state attempts { status } } }`, budget: 2 },
  { query: `{ webhookDelivery(deliveryId: "${DELIVERY}") { body } }`, budget: 3 },
  {
    query: `{ webhookEndpoint(endpointId: "${ENDPOINT}") { deliveries { edges { node { body } } } } }`,
    budget: 4,
  },
  {
    query: `{ webhookEndpoint(endpointId: "${ENDPOINT}") { deliveries { edges { node { state } } } } }`,
    budget: 3,
  },
  {
    query: `{ webhookEndpoint(endpointId: "${ENDPOINT}") { deliveries(state: PENDING) { edges { node { state } } } } }`,
    budget: 3,
  },
  {
    query: mutation('createWebhookEndpoint', 'url: "https://1.1.1.1/", events: ["v3.post.didCreate"]'),
    budget: 7 + AUDIT,
  },
  { query: mutation('switchWebhooks', 'enabled: true'), budget: 6 + AUDIT },
  { query: onEndpoint('updateWebhookEndpoint', ', url: "https://1.1.1.1/other"'), budget: 7 + AUDIT },
  { query: onEndpoint('rotateWebhookSecret'), budget: 7 + AUDIT },
  { query: onEndpoint('sendTestPing'), budget: 6 + AUDIT },
  { query: mutation('replayWebhookDelivery', `deliveryId: "${DELIVERY}"`), budget: 7 + AUDIT },
  {
    query: onEndpoint('replayWebhookEvents', ', from: "2026-01-01T00:00:00.000Z", until: "2100-01-01T00:00:00.000Z"'),
    budget: 9 + AUDIT,
  },
  { query: onEndpoint('disableWebhookEndpoint'), budget: 6 + AUDIT },
  { query: onEndpoint('enableWebhookEndpoint'), budget: 6 + AUDIT },
  { query: onEndpoint('deleteWebhookEndpoint'), budget: 6 + AUDIT },
].map((one) => ({ ...one, as: 'admin' }));
