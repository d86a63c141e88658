import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { liveClient } from '../support/live.ts';
import { successfulMutations } from '../support/mutate.ts';

let gateway: TestGateway;
const mutate = successfulMutations(() => gateway);

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => gateway.close());

async function createPost(): Promise<string> {
  const input = { targetType: 'USER', targetId: 'carol', data: { text: 'text' } };
  return (await mutate('carol', 'createPost', input, 'post { postId }')).post.postId;
}

test('a subscription receives an event that is read from the log while it reads the rights of its session', async () => {
  const socket = await liveClient(gateway, 'bob');
  const listen = () => socket.listen('subscription { postCreated { post { postId } } }').events;
  const idsOf = (events: ReturnType<typeof listen>) => events.map((event) => event.post.postId);
  const earlier = listen();
  // A subscription is not acknowledged.
  await expect.poll(async () => (await createPost()) && earlier.length).toBeGreaterThan(0);
  const earlierId = await createPost();
  await expect.poll(() => idsOf(earlier)).toContain(earlierId);

  const { sessions } = gateway.services.store.batchers;
  const load = sessions.load.bind(sessions);
  let postId: string | undefined;
  vi.spyOn(sessions, 'load').mockImplementationOnce(async (...given) => {
    const createdId = await createPost();
    await expect.poll(() => idsOf(earlier)).toContain(createdId);
    postId = createdId;
    return load(...given);
  });
  const later = listen();
  await expect.poll(() => idsOf(later)).toContainEqual(expect.any(String));
  expect(idsOf(later)).toEqual([postId]);
  await socket.close();
});
