import { expect, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver } from './receiver.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
export type Any = any;

export const FIELDS =
  'endpointId url events method hasAccessToken payload selection enabled disabledReason failingSince secrets { createdAt endsAt }';

export type WebhookFixtures = Awaited<ReturnType<typeof openWebhookFixtures>>;

/** Starts a gateway that delivers webhooks and a local receiver, with the operations of an administrator. */
export async function openWebhookFixtures() {
  const gateway: TestGateway = await startTestGateway({
    WEBHOOK_DELIVERY: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_LIMIT: '4',
  });
  let receiver: Receiver = await startReceiver();

  async function mutate(name: string, input: object, select: string, as = 'admin'): Promise<Any> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}`;
    const { data, errors } = await gateway.graphql<Any>(
      `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) {
        ... on ${type}Payload { ${select} } ... on OperationError { code message path detail } } }`,
      { as, variables: { input } },
    );
    expect(errors).toBeUndefined();
    return data.answer;
  }

  return {
    gateway,
    mutate,
    get receiver() {
      return receiver;
    },
    createEndpoint: (input: object = {}): Promise<Any> =>
      mutate(
        'createWebhookEndpoint',
        { url: receiver.url, events: ['v3.post.didCreate'], ...input },
        `secret endpoint { ${FIELDS} }`,
      ),
    /** @returns the id of a new post */
    async post(text: string): Promise<string> {
      const input = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text } };
      return (await mutate('createPost', input, 'post { postId }', 'alice')).post.postId;
    },
    arrived: (count: number) =>
      vi.waitUntil(() => receiver.received.length >= count, { timeout: 40_000, interval: 20 }),
    /** Resolves when the dispatcher has enqueued the deliveries of all events so far. */
    async dispatched(): Promise<void> {
      const { events, webhookPositions } = gateway.services.store.collections;
      const [newest] = await events.find({ networkId: 'default' }).sort({ eventId: -1 }).limit(1).toArray();
      const isDispatched = async () => {
        const checkpoint = await webhookPositions.findOne({ networkId: '*' });
        return checkpoint !== null && checkpoint.dispatchedUntil >= newest!.createdAt;
      };
      await vi.waitUntil(isDispatched, { timeout: 40_000, interval: 20 });
    },
    /** @param filter more arguments of the list */
    async deliveries(endpointId: string, filter = ''): Promise<Any[]> {
      const { data } = await gateway.graphql<Any>(
        `{ webhookEndpoint(endpointId: "${endpointId}") { deliveries(first: 100${filter}) { edges { node {
          deliveryId webhookId event eventId state body attemptCount nextAttemptAt deliveredAt attempts { status error response durationMs } } } } } }`,
        { as: 'admin' },
      );
      return data.webhookEndpoint.deliveries.edges.map(({ node }: Any) => node);
    },
    /** Deletes all endpoints and starts a new receiver. */
    async clear(): Promise<void> {
      await gateway.services.store.collections.webhookEndpoints.deleteMany({ networkId: 'default' });
      await receiver.close();
      receiver = await startReceiver();
    },
    async close(): Promise<void> {
      await gateway.close();
      await receiver.close();
    },
  };
}
