import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createMarkedPerson } from '../support/marked-person.ts';
import { mutations } from '../support/mutate.ts';
import { tracesInFiles, tracesInRecords } from '../support/traces.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const ERASURE = 'erasure { userId content state completedSteps totalSteps completedAt requestedById }';
const EVENTS = [
  'v3.post.didCreate',
  'v3.comment.didCreate',
  'v5.message.didCreate',
  'user.didUpdate',
  'v3.post.didFlag',
];
/** Neither ids of the person nor of the post, and no name of the person in the second. */
const SELECTIONS = [
  'subscription { postCreated { post { author { displayName } metadata } } }',
  'subscription { postCreated { post { data { text } } } }',
];

let gateway: TestGateway;
let receiver: Receiver;
const mutate = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway({ WEBHOOK_DELIVERY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
  // An answer that repeats the request: the delivery stores it.
  receiver = await startReceiver((request, response) => void response.end(request.body));
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const erase = (userId: string, content: 'KEEP' | 'REMOVE', as = 'admin') =>
  mutate(as, 'eraseUser', { userId, content, reason: 'Request 7' }, ERASURE);

async function completed(userId: string): Promise<Record<string, unknown>> {
  const query = `query ($userId: String!) { erasure: userErasure(userId: $userId) { ${ERASURE.slice(9, -1)} } }`;
  return vi.waitUntil(
    async () => {
      const { data } = await gateway.graphql<{ erasure: Record<string, unknown> }>(query, {
        as: 'admin',
        variables: { userId },
      });
      return data.erasure.state === 'COMPLETED' && data.erasure;
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Waits until all deliveries of the person's events are delivered. */
async function delivered(): Promise<void> {
  const { events, webhookDeliveries, webhookPositions } = gateway.services.store.collections;
  const [newest] = await events.find({ networkId: 'default' }).sort({ eventId: -1 }).limit(1).toArray();
  await vi.waitUntil(
    async () => {
      const position = await webhookPositions.findOne({ networkId: '*' });
      const isDispatched = position !== null && position.dispatchedUntil >= newest!.createdAt;
      return isDispatched && (await webhookDeliveries.countDocuments({ networkId: 'default', state: 'pending' })) === 0;
    },
    { timeout: 60_000, interval: 50 },
  );
}

test.each(['KEEP', 'REMOVE'] as const)('leaves no trace of a person in any record or file: %s', async (content) => {
  const userId = `person${content.toLowerCase()}`;
  for (const selection of [null, ...SELECTIONS]) {
    const input = { url: receiver.url, events: selection ? ['v3.post.didCreate'] : EVENTS, selection };
    expect(await mutate('admin', 'createWebhookEndpoint', input, 'secret')).toMatchObject({
      secret: expect.any(String),
    });
  }
  const { markers, contentMarkers } = await createMarkedPerson(gateway, userId);
  await delivered();
  const { db } = gateway.services.store;
  const filled = await tracesInRecords(db, [...markers, ...contentMarkers]);
  const collectionsOf = (traces: string[]) => new Set(traces.map((trace) => trace.split(':')[0]));
  for (const marker of [...markers, ...contentMarkers]) {
    if (!marker.includes('bytes')) expect(filled.join('\n')).toContain(marker);
  }
  expect(collectionsOf(filled)).toEqual(
    new Set([
      ...[
        'users',
        'sessions',
        'pushDevices',
        'files',
        'communityUsers',
        'channelUsers',
        'posts',
        'comments',
        'stories',
      ],
      ...['messages', 'polls', 'videoStreams', 'rooms', 'flags', 'searchEntries', 'keyedWrites', 'webhookBodies'],
      'webhookDeliveries',
    ]),
  );

  expect(await erase(userId, content)).toMatchObject({ erasure: { userId, content } });
  const erasure = await completed(userId);
  expect(erasure).toMatchObject({ requestedById: 'admin', completedAt: expect.any(String) });
  expect(erasure.completedSteps).toHaveLength(erasure.totalSteps as number);

  expect(await tracesInRecords(db, markers)).toEqual([]);
  const left = await tracesInRecords(db, contentMarkers);
  if (content === 'REMOVE') expect(left).toEqual([]);
  else for (const marker of contentMarkers) expect(left.join('\n')).toContain(marker);
  const files = join(gateway.services.config.DATA_DIR, 'files');
  expect(await tracesInFiles(files, [...markers, ...contentMarkers])).toEqual([]);
});
