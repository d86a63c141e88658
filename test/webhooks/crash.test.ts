import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { BuiltProgram } from '../support/build-program.ts';
import { createEndpoint } from '../support/create-endpoint.ts';
import { freePort } from '../support/free-port.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { buildCrashingGateway, type CrashingGateway, startCrashingGateway } from './start-crashing-gateway.ts';

let program: BuiltProgram;
let folder: string;
let port: number;
let receiver: Receiver;
let gateway: CrashingGateway;
let secret: string;
let alice: string;
let admin: string;

beforeAll(async () => {
  program = await buildCrashingGateway();
  folder = await mkdtemp(join(tmpdir(), 'colloquy-webhooks-'));
  port = await freePort();
  receiver = await startReceiver();
  await start('never');
  alice = await gateway.tokenOf('alice');
  admin = await gateway.tokenOf('admin');
  secret = await createEndpoint({ url: gateway.url, token: admin, receiver, event: 'v3.post.didCreate' });
  await gateway.kill();
}, 180_000);
afterEach(() => gateway.kill());
afterAll(async () => {
  await gateway.kill();
  await receiver.close();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Leases of a gateway that is killed before it attempts the delivery: its successor waits until they end. */
const SHORT_LEASE_MS = 3_000;
/** Leases of a gateway that is killed after the attempt. They must outlast it, or the gateway itself attempts it again. */
const LEASE_MS = 10_000;
/** Leases for which no gateway waits. */
const LONG_LEASE_MS = 60_000;

/** @param step where the gateway kills itself */
const start = async (step: string, leaseMs = SHORT_LEASE_MS) => {
  gateway = await startCrashingGateway({ program, folder, port, step, leaseMs });
};

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
async function ask(token: string, query: string): Promise<any> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

/** Creates a post. @returns its id; null when the gateway crashed before it answered */
async function post(): Promise<string | null> {
  const created = await ask(
    alice,
    'mutation { createPost(input: { targetType: COMMUNITY, targetId: "gardeners", data: { text: "crash" } }) { ... on CreatePostPayload { post { postId } } } }',
  ).catch(() => null);
  return created?.createPost.post.postId ?? null;
}

/** The requests that the receiver got for the post. */
const deliveriesOf = (postId: string) =>
  receiver.received.filter(({ body }) => JSON.parse(body).data.posts?.[0]?.postId === postId);

test.each([
  ['after the event was committed', 'before enqueueing', 1, SHORT_LEASE_MS],
  ['after the body was stored, before the delivery', 'after storing-body', 1, SHORT_LEASE_MS],
  ['after deliveries were enqueued, before they were announced', 'after enqueueing', 1, SHORT_LEASE_MS],
  ['after deliveries were announced, before the checkpoint was saved', 'after announcing', 2, SHORT_LEASE_MS],
  ['after the checkpoint was saved', 'after saving-checkpoint', 2, LEASE_MS],
  ['after the delivery was claimed', 'after claiming', 1, SHORT_LEASE_MS],
  ['after a claimed delivery refers to its body', 'after referring-to-body', 1, SHORT_LEASE_MS],
  ['after it was sent, before the result was recorded', 'before recording-result', 2, LEASE_MS],
  ['after the result was recorded', 'after recording-result', 1, LONG_LEASE_MS],
])(
  'a gateway killed %s loses no delivery, and repeats one only with the same id',
  async (_, step, atMost, leaseMs) => {
    await start(step, leaseMs);
    const postId = await post();
    await gateway.death();
    const known = postId ?? (await newestPost());
    if (gateway.child.signalCode) await start('never', LONG_LEASE_MS);
    await vi.waitUntil(() => deliveriesOf(known).length > 0, { timeout: 30_000, interval: 50 });
    await allDelivered();
    const requests = deliveriesOf(known);
    expect(requests.length).toBeGreaterThanOrEqual(1);
    expect(requests.length).toBeLessThanOrEqual(atMost);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of requests) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
  },
  120_000,
);

/** Waits until a later post is delivered, which the gateway dispatches after all earlier ones, and no retry is due. */
async function allDelivered(): Promise<void> {
  const later = (await post())!;
  await vi.waitUntil(() => deliveriesOf(later).length > 0, { timeout: 30_000, interval: 50 });
  const pending = async () => {
    const { webhookEndpoints } = await ask(
      admin,
      '{ webhookEndpoints(first: 1) { edges { node { deliveries(first: 1, state: PENDING) { edges { node { deliveryId } } } } } } }',
    );
    return webhookEndpoints.edges[0].node.deliveries.edges.length;
  };
  await vi.waitUntil(async () => (await pending()) === 0, { timeout: 30_000, interval: 50 });
}

/** The id of a post that was committed although the gateway did not answer. */
async function newestPost(): Promise<string> {
  await start('never', LONG_LEASE_MS);
  const { posts } = await ask(
    alice,
    '{ posts(targetType: COMMUNITY, targetId: "gardeners", first: 1) { edges { node { postId data { text } } } } }',
  );
  expect(posts.edges[0].node.data.text).toBe('crash');
  return posts.edges[0].node.postId;
}

test('loses no delivery when the receiver kills the gateway repeatedly during calls', async () => {
  receiver.received.length = 0;
  const posts: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    await start('never');
    const receivedBefore = receiver.received.length;
    let calls = 0;
    receiver.answer((_, response) => {
      calls += 1;
      if (calls === 3) gateway.child.kill('SIGKILL');
      else response.end('{}');
    });
    for (let n = 0; n < 5; n += 1) {
      const postId = await post();
      if (postId) posts.push(postId);
    }
    await vi.waitUntil(() => gateway.child.signalCode !== null, { timeout: 30_000, interval: 20 });
    expect(receiver.received.length).toBeGreaterThan(receivedBefore);
  }
  receiver.answer((_, response) => void response.end('{}'));
  await start('never');
  await vi.waitUntil(() => posts.every((postId) => deliveriesOf(postId).length > 0), {
    timeout: 60_000,
    interval: 50,
  });
  for (const postId of posts) {
    expect(new Set(deliveriesOf(postId).map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  }
}, 180_000);
