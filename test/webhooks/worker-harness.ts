import { ObjectId } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../../src/store/records/webhook.ts';
import type { RenderBody } from '../../src/webhooks/attempt.ts';
import { createBodyStore } from '../../src/webhooks/body-store.ts';
import { enqueue } from '../../src/webhooks/enqueue.ts';
import { deliveryOf } from '../../src/webhooks/plan-deliveries.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { createSender, type SenderOptions } from '../../src/webhooks/send.ts';
import { newSecret } from '../../src/webhooks/sign.ts';
import { createWorker, type WorkerOptions } from '../../src/webhooks/worker.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

const NETWORK = 'default';
const KEPT_MS = 8 * 86_400_000;

export type WorkerHarness = Awaited<ReturnType<typeof openWorkerHarness>>;

/** The store of the tests of a file, see {@link shareStore}. */
let shared: Promise<TestStore> | undefined;

/**
 * The tests of the calling file share a database, which is emptied after each: creating one takes seconds on an emulated
 * server.
 */
export function shareStore(): void {
  beforeAll(() => {
    shared = openTestStore();
  });
  afterAll(async () => {
    const store = await shared;
    shared = undefined;
    await store?.close();
  });
}

async function empty({ db }: TestStore): Promise<void> {
  const collections = (await db.collections()).filter(({ collectionName }) => collectionName !== 'migrations');
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
}

/** A store, a manual clock and a worker that polls only on request. */
export async function openWorkerHarness(options: Partial<WorkerOptions> = {}, sending: Partial<SenderOptions> = {}) {
  const test: TestStore = await (shared ?? openTestStore());
  const { collections } = test;
  const disabled: Array<[endpointId: string, reason: string]> = [];
  const failed: Array<{ eventId: string; error: string; isGivenUp: boolean }> = [];
  const errors: unknown[] = [];
  let time = Date.now();
  const now = () => new Date(time);
  const bodyStore = createBodyStore(test.store, now);
  const sender = createSender({ allowPrivate: true, resolve: createResolver(), ...sending });
  const renderBody: RenderBody = async ({ event: { eventId, type, data } }) =>
    JSON.stringify({ event: type, data, id: eventId });
  const startWorker = (more: Partial<WorkerOptions> = {}) =>
    createWorker({
      collections,
      bodyStore,
      send: sender.send,
      renderBody,
      now,
      random: () => 0.5,
      pollMs: 0,
      onDisabled: ({ endpointId }, reason) => disabled.push([endpointId, reason]),
      onFailed: ({ eventId }, failure) => failed.push({ eventId, ...failure }),
      onRenderError: (error) => errors.push(error),
      onError: (error) => errors.push(error),
      ...options,
      ...more,
    });
  const worker = startWorker();

  return {
    collections,
    bodyStore,
    worker,
    startWorker,
    disabled,
    failed,
    errors,
    now,
    advance(ms: number) {
      time += ms;
    },
    async endpoint(given: Partial<WebhookEndpointRecord> & { url: string }): Promise<WebhookEndpointRecord> {
      const _id = new ObjectId();
      const record: WebhookEndpointRecord = {
        _id,
        networkId: NETWORK,
        endpointId: _id.toHexString(),
        secrets: [{ key: newSecret(), createdAt: now(), endsAt: null }],
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
        createdAt: now(),
        updatedAt: now(),
        ...given,
      };
      await collections.webhookEndpoints.insertOne(record);
      return record;
    },
    async deliver(endpoint: WebhookEndpointRecord, ...events: EventRecord[]): Promise<void> {
      const planned = events.map((event) => ({ delivery: deliveryOf(endpoint, event), endpoint, readAt: 0 }));
      // As in a process without a worker: the deliveries have to be claimed.
      const withoutWorker = { collections, bodyStore, renderBody, reserve: () => null, onQueued: () => undefined };
      await enqueue(withoutWorker, planned, { now: now(), retentionMs: KEPT_MS });
    },
    async deliveryOf({ networkId, endpointId }: WebhookEndpointRecord, { eventId }: EventRecord) {
      return (await collections.webhookDeliveries.findOne({ networkId, endpointId, eventId })) as WebhookDeliveryRecord;
    },
    async readEndpoint({ networkId, endpointId }: WebhookEndpointRecord): Promise<WebhookEndpointRecord> {
      return (await collections.webhookEndpoints.findOne({ networkId, endpointId }))!;
    },
    async close() {
      await worker.close({ answersWithinMs: 0 });
      sender.close();
      await (shared ? empty(test) : test.close());
    },
  };
}

/** An event record of the log. */
export function anEvent(given: Partial<EventRecord> = {}): EventRecord {
  const _id = new ObjectId();
  const now = given.createdAt ?? new Date();
  return {
    _id,
    eventId: _id.toHexString(),
    commitId: _id.toHexString(),
    networkId: NETWORK,
    type: 'post.created',
    path: `${NETWORK}/social/community/c/post/p`,
    data: { postId: 'p' },
    actorId: 'alice',
    senderId: 'test',
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + 7 * 86_400_000),
    ...given,
  };
}
