import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type LiveClient, type LiveSubscription, liveClient, waitFor } from '../support/live.ts';
import { ask, mutate } from '../support/mutate.ts';

/** So small that most replayed events are older than the buffer. */
const BUFFER_SIZE = 10;

let gateway: TestGateway;
let bob: LiveClient;
beforeAll(async () => {
  gateway = await startTestGateway({}, { eventBufferSize: BUFFER_SIZE });
  bob = await liveClient(gateway, 'bob');
});
afterAll(async () => {
  await bob.close();
  await gateway.close();
});

const subscriptions: LiveSubscription[] = [];
const subscribe = (query: string, variables?: Record<string, unknown>) => {
  const subscription = bob.listen(query, variables);
  subscriptions.push(subscription);
  return subscription;
};
afterEach(() => {
  for (const subscription of subscriptions.splice(0)) subscription.stop();
});

const now = async (): Promise<string> => (await ask(gateway, '{ eventCursor }')).eventCursor;
const UPDATED = 'subscription ($after: String) { postUpdated(after: $after) { path cursor } }';
const pathsOf = (subscription: LiveSubscription) => subscription.events.map(({ path }) => path.replace('default/', ''));
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const write = async (paths: readonly string[]) => {
  for (const path of paths) await emit(gateway, [postUpdated(path)]);
};
/** Resolves when the gateway has read everything that was written. */
const settle = async () => {
  const subscription = subscribe(UPDATED);
  const mark = `mark${Math.random()}`;
  let written = 0;
  // The subscription may begin after the first ones.
  while (subscription.events.length === 0) {
    written += 1;
    await write([`${mark}/${written}`]);
    await new Promise((later) => setTimeout(later, 30));
  }
  await waitFor(() => pathsOf(subscription).includes(`${mark}/${written}`));
  subscription.stop();
};

describe('a subscription with a cursor receives missed events, then live ones, each once', () => {
  test('from memory', async () => {
    await settle();
    const after = await now();
    await write(names('a', 5));
    const subscription = subscribe(UPDATED, { after });
    await subscription.until(5);
    await write(['a5']);
    await subscription.until(6);
    expect(pathsOf(subscription)).toEqual(names('a', 6));
  });

  test('from the log, when the buffer starts later', async () => {
    await settle();
    const after = await now();
    await write(names('b', 45));
    const subscription = subscribe(UPDATED, { after });
    await subscription.until(45);
    await write(['b45', 'b46']);
    await subscription.until(47);
    expect(pathsOf(subscription)).toEqual(names('b', 47));
  });

  test('while others write', async () => {
    await settle();
    const after = await now();
    const writing = write(names('c', 120));
    const resumed: LiveSubscription[] = [];
    for (let n = 0; n < 12; n += 1) {
      resumed.push(subscribe(UPDATED, { after }));
      await new Promise((later) => setTimeout(later, 25));
    }
    await writing;
    for (const one of resumed) {
      await one.until(120);
      expect(pathsOf(one)).toEqual(names('c', 120));
    }
  });

  test('in the middle of a transaction', async () => {
    await settle();
    const subscription = subscribe(UPDATED, { after: await now() });
    await emit(
      gateway,
      names('d', 30).map((path) => postUpdated(path)),
    );
    const events = await subscription.until(30);
    expect(new Set(events.map(({ cursor }) => cursor)).size).toBe(30);
    const delivered = pathsOf(subscription).slice(0, 30);
    expect(delivered).toEqual(names('d', 30));
    for (const index of [0, 13, 28, 29]) {
      const again = subscribe(UPDATED, { after: events[index].cursor });
      await write([`d after ${index}`]);
      const rest = 30 - index - 1;
      await waitFor(() => pathsOf(again).includes(`d after ${index}`));
      expect(pathsOf(again).slice(0, rest)).toEqual(delivered.slice(index + 1));
      again.stop();
    }
  });

  test('from the cursor of another type of event', async () => {
    await settle();
    const all = subscribe('subscription ($after: String) { events(after: $after) { path cursor } }', {
      after: await now(),
    });
    await write(['e0', 'e1']);
    const [first] = await all.until(2);
    const subscription = subscribe(UPDATED, { after: first.cursor });
    await subscription.until(1);
    expect(pathsOf(subscription)).toEqual(['e1']);
  });
});

describe('an invalid cursor', () => {
  const rejectionOf = async (after: unknown) => {
    const subscription = subscribe(UPDATED, { after });
    await waitFor(() => subscription.isDone);
    expect(subscription.events).toEqual([]);
    return subscription.errors[0] as { extensions: { code: string } };
  };

  test.each([
    ['empty text', ''],
    ['a word', 'garbage'],
    ['the prefix of a cursor', '82'],
    ['other characters', '82zz'],
    ['a very long cursor', `82${'F'.repeat(5_000)}`],
    ['a resume token', '{"_data":"82"}'],
    ['an odd number of digits', `82${'0'.repeat(17)}`],
  ])('%s is rejected', async (_, after) => {
    expect(await rejectionOf(after)).toMatchObject({ extensions: { code: 'INVALID_PARAMETERS' } });
  });

  test('an object is rejected', async () => {
    expect(await rejectionOf({ $gt: '' })).toMatchObject({
      message: expect.stringContaining('String cannot represent'),
    });
  });

  test('a future cursor is rejected', async () => {
    const real = await now();
    const later = Math.floor(Date.now() / 1_000 + 7_200)
      .toString(16)
      .toUpperCase()
      .padStart(8, '0');
    expect(await rejectionOf(`82${later}${real.slice(10)}`)).toMatchObject({
      extensions: { code: 'INVALID_PARAMETERS' },
    });
  });

  test('a forged cursor of a past time is rejected', async () => {
    const real = await now();
    const seconds = Number.parseInt(real.slice(2, 10), 16) - 60;
    const rejection = await rejectionOf(`82${seconds.toString(16).toUpperCase()}${'AB'.repeat(20)}`);
    expect(['INVALID_PARAMETERS', 'CURSOR_EXPIRED']).toContain(rejection.extensions.code);
  });

  test('forged cursors are rejected or read, and occupy no replay slot of other subscribers', async () => {
    const real = await now();
    const time = real.slice(2, 10);
    await write(names('older', 45));
    await settle();
    const tails = ['', '00', '04', '2B', '2B02', '2B0229296E', '2B0229296E04', '2B0429296E1404'];
    for (const version of ['02', '04', '06', '08', '0A', '7F'])
      tails.push(`2B${version}29296E04`, `2B${version}2C0100296E5A`);
    tails.push(
      '2B042C0100296E5A1004',
      `2B042C0100296F5A1004${'00'.repeat(16)}04`,
      `2B022C0100296E5A1004${'11'.repeat(16)}46645F6964`,
    );
    tails.push(
      '2B0A2C0100293C',
      '46645F696400',
      'FF'.repeat(400),
      `1E${'00'.repeat(16)}04`,
      'F02B04',
      '2B042C01002AFFFF',
    );
    const forged = tails.map((tail) => subscribe(UPDATED, { after: `82${time}00000001${tail}` }));
    const after = await now();
    await write(names('free', 25));
    const replayed = subscribe(UPDATED, { after });
    await replayed.until(25);
    expect(pathsOf(replayed)).toEqual(names('free', 25));
    // Some are valid: a time alone is one. The others end with an error.
    await waitFor(() => forged.every(({ isDone, events }) => isDone || events.length >= 70));
    for (const { errors } of forged.filter(({ isDone }) => isDone))
      expect(['INVALID_PARAMETERS', 'CURSOR_EXPIRED']).toContain(
        (errors[0] as { extensions: { code: string } }).extensions.code,
      );
  });

  // The log of a new MongoDB reaches back to its beginning, so no cursor is older.
  test.skipIf(process.env.MONGODB_URI)(
    'a cursor older than the log is rejected, with the steps that lose no event',
    async () => {
      const expired = await rejectionOf('8200000001000000012B0229296E04');
      expect(expired).toMatchObject({
        extensions: { code: 'CURSOR_EXPIRED' },
        message: 'Cursor expired: query eventCursor, read the data again, then subscribe after that cursor.',
      });
    },
  );

  test('the gateway still serves subscriptions afterwards', async () => {
    const subscription = subscribe(UPDATED, { after: await now() });
    await write(['z']);
    await subscription.until(1);
  });
});

describe('the selection of events', () => {
  test.each([
    ['default/post/+', ['post/1', 'post/2']],
    ['default/post/1', ['post/1']],
    ['default/post/#', ['post/1', 'post/2', 'post/1/comment/2']],
    ['default/+/1', ['post/1', 'user/1']],
    ['+/+/+/#', ['post/1', 'post/2', 'post/1/comment/2', 'user/1']],
    ['#', ['post/1', 'post/2', 'post/1/comment/2', 'user/1', 'seen']],
    ['default/+/1/#', ['post/1', 'post/1/comment/2', 'user/1']],
    ['elsewhere/#', []],
  ])('topic %s', async (topic, expected) => {
    const query =
      'subscription ($topic: String, $after: String) { postUpdated(topic: $topic, after: $after) { path } }';
    await settle();
    const after = await now();
    const subscription = subscribe(query, { topic, after });
    const all = subscribe(UPDATED, { after });
    const written = ['post/1', 'post/2', 'post/1/comment/2', 'user/1', 'seen'];
    await write(written);
    await all.until(5);
    if (expected.length > 0) await subscription.until(expected.length);
    else await settle();
    expect(pathsOf(subscription)).toEqual(expected);
  });

  test.each(['', 'a/#/b', 'a+', '##', 'x'.repeat(901), 'a/b#'])('topic %.20s is rejected', async (topic) => {
    const subscription = subscribe('subscription ($topic: String) { postUpdated(topic: $topic) { path } }', { topic });
    await waitFor(() => subscription.isDone);
    expect(subscription.errors[0]).toMatchObject({ extensions: { code: 'INVALID_PARAMETERS' } });
  });

  test('supports types, fragments, aliases and variables', async () => {
    await settle();
    const subscription = subscribe(
      `subscription Some($types: [EventType!], $after: String, $with: Boolean!) { ...Root }
      fragment Root on Subscription { selected: events(types: $types, after: $after) { ...Selected } }
      fragment Selected on Event { kind: type path ... on PostEvent { it: post { id: postId text: data @include(if: $with) { text } } } }`,
      { types: ['POST_UPDATED', 'POST_FLAGGED'], after: await now(), with: false },
    );
    await emit(gateway, [
      { type: 'post.approved', path: 'default/f', data: { postId: 'seedlings' } },
      postUpdated('f1'),
      { type: 'post.flagged', path: 'default/f2', data: { postId: 'seedlings' } },
    ]);
    expect(await subscription.until(2)).toEqual([
      { kind: 'POST_UPDATED', path: 'default/f1', it: { id: 'seedlings' } },
      { kind: 'POST_FLAGGED', path: 'default/f2', it: { id: 'seedlings' } },
    ]);
  });

  test.each([
    ['two events', 'subscription { postUpdated { path } postCreated { path } }'],
    ['an unknown field', 'subscription { nothing { path } }'],
    ['an event of webhooks only', 'subscription { mentionPostCreated { path } }'],
    ['introspection', 'subscription { __typename }'],
    ['an unknown type', 'subscription { events(types: [NOTHING]) { path } }'],
  ])('%s is rejected', async (_, query) => {
    const subscription = subscribe(query);
    await waitFor(() => subscription.isDone);
    expect(subscription.errors.length).toBeGreaterThan(0);
  });
});

test('consecutive polls return each event once and render few of the events that follow', async () => {
  await settle();
  let after = await now();
  await emit(
    gateway,
    names('poll', 60).map((path) => postUpdated(path)),
  );
  await settle();
  const headers = { authorization: `Bearer ${await gateway.tokenOf('bob')}` };
  const paths: string[] = [];
  const run = vi.spyOn(gateway.executor, 'run');
  for (let n = 0; n < 5; n += 1) {
    const response = await fetch(`${gateway.url}/realtime/post.updated?after=${after}&wait=5`, { headers });
    after = response.headers.get('event-cursor')!;
    paths.push(((await response.json()) as { path: string }).path.replace('default/', ''));
  }
  expect(paths).toEqual(names('poll', 5));
  expect(run.mock.calls.length).toBeLessThan(20);
  run.mockRestore();
});

test('finds the newest visible event behind many recent hidden ones that have left the buffer', async () => {
  const { community } = await mutate(
    gateway,
    'createCommunity',
    { displayName: 'Secret', isPublic: false },
    { select: 'community { communityId }' },
  );
  const target = { targetType: 'COMMUNITY', targetId: community.communityId };
  const created = await mutate(
    gateway,
    'createPost',
    { ...target, data: { text: 'x' } },
    { select: 'post { postId }' },
  );
  await settle();
  await write(['seen']);
  await emit(
    gateway,
    names('hidden', 60).map((path) => postUpdated(path, created.post.postId)),
  );
  // A search that takes too long is answered with 503.
  const newest = await vi.waitFor(async () => {
    const found = await gateway.rest('/realtime/post.updated', { as: 'bob' });
    expect(found.body).toMatchObject({ path: 'default/seen' });
    return found;
  }, 30_000);
  await write(['next']);
  const next = `/realtime/post.updated?wait=10&after=${newest.headers.get('event-cursor')}`;
  expect((await gateway.rest(next, { as: 'bob' })).body).toMatchObject({ path: 'default/next' });
});
