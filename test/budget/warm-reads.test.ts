import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createContext } from '../../src/context.ts';
import { visibleComments } from '../../src/domain/comment/visible-comments.ts';
import { getPost } from '../../src/domain/post/get-post.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { getUser } from '../../src/domain/user/get-user.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ CACHE_MB: '16' });
  await gateway.rest(PATH);
  await whenCaughtUp();
  await gateway.rest(PATH);
  await whenCaughtUp();
});
afterAll(() => gateway.close());

/** On a busy machine, a request may not wait long enough for changes. */
async function whenCaughtUp(): Promise<void> {
  const { records } = gateway.services.store;
  await vi.waitFor(async () => expect(await records!.whenFresh()).toBe(true), { timeout: 10_000 });
}

const PATH = '/api/v3/posts/seedlings';

/** The reads that `work` sends; commands for changes are shared by all requests and not counted. */
async function readsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await gateway.commandsOf(work)).filter((name) => name !== 'getMore');
}

test('reading a post again with 10 comments by 10 users sends only the command that reads the session', async () => {
  await vi.waitFor(async () => expect(await readsOf(() => gateway.rest(PATH))).toEqual(['find']), { timeout: 30_000 });
});

test('reading a page of posts again with their authors sends only the command that reads the session', async () => {
  const query = `{ posts(targetType: COMMUNITY, targetId: "gardeners", first: 20) {
    edges { node { postId myReactions author { displayName avatar { fileId } } } }
  } }`;
  const work = async () => expect((await gateway.graphql(query)).errors).toBeUndefined();
  await vi.waitFor(async () => expect(await readsOf(work)).toEqual(['find']), { timeout: 30_000 });
});

test('a query of records that were read before sends only the command that reads the session', async () => {
  const query = '{ post(postId: "seedlings") { postId author { displayName avatar { fileId } } } }';
  const work = async () => expect((await gateway.graphql(query)).errors).toBeUndefined();
  await work();
  await vi.waitFor(async () => expect(await readsOf(work)).toEqual(['find']), { timeout: 30_000 });
});

test('a post in memory is authorized and completed without a promise', async () => {
  const { services } = gateway;
  const token = await gateway.tokenOf('alice');
  await vi.waitFor(
    async () => {
      const viewer = await authenticate(services, token);
      await whenCaughtUp();
      const context = createContext(services, viewer, undefined, undefined, undefined, services.store.records);
      const post = getPost(context, { postId: 'seedlings' });
      expect(post).toMatchObject({ postId: 'seedlings' });
      expect(visibleComments(context, post as PostRecord)).toHaveLength(10);
      expect(getUser(context, { userId: 'alice' })).toMatchObject({ userId: 'alice' });
    },
    { timeout: 30_000 },
  );
});

test('a write makes the next request read only the record that changed', async () => {
  const query = '{ post(postId: "seedlings") { postId author { displayName } } }';
  const work = async () => expect((await gateway.graphql(query)).errors).toBeUndefined();
  const { posts } = gateway.services.store.collections;
  // Writes of other gateways on the same store may delay the changes for so long that a request does not wait for them.
  await vi.waitFor(
    async () => {
      await work();
      await posts.updateOne({ networkId: 'default', postId: 'seedlings' }, { $inc: { impression: 1 } });
      await whenCaughtUp();
      expect(await readsOf(work)).toEqual(['find', 'find']);
      expect(await readsOf(work)).toEqual(['find']);
    },
    { timeout: 30_000 },
  );
});
