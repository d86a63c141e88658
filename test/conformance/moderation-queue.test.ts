import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask, mutations, successfulMutations } from '../support/mutate.ts';

interface Item {
  kind: string;
  itemId: string;
  states: string[];
  flagCount: number;
}

let gateway: TestGateway;
const mutate = successfulMutations(() => gateway);
const attempt = mutations(() => gateway);
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  await gateway.close();
});

const FIELDS = 'kind itemId states flagCount';

async function queue(args = '', as = 'admin', fields = FIELDS) {
  const given = args ? `(${args})` : '';
  const { moderationQueue } = await ask(
    gateway,
    `{ moderationQueue${given} { edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor startCursor hasPreviousPage } } }`,
    { as },
  );
  return {
    items: moderationQueue.edges.map(({ node }: { node: Item }) => node) as Item[],
    pageInfo: moderationQueue.pageInfo,
  };
}

const names = ({ items }: { items: Item[] }) => items.map(({ kind, itemId }) => `${kind} ${itemId}`);

async function createPost(text: string, targetId = 'gardeners', as = 'bob'): Promise<string> {
  const input = { targetType: 'COMMUNITY', targetId, data: { text } };
  return (await mutate(as, 'createPost', input, 'post { postId }')).post.postId;
}

async function flaggedPost(text = 'An example'): Promise<string> {
  const postId = await createPost(text);
  await mutate('carol', 'flagPost', { postId, reason: 'SPAM_OR_SCAMS', detail: 'Buy now' });
  return postId;
}

const auditOf = (subjectId: string) =>
  gateway.services.store.collections.auditEntries.find({ networkId: 'default', subjectId }).sort({ _id: 1 }).toArray();

describe('the moderation queue', () => {
  test('lists every kind that is flagged and posts in review, newest first, in pages', async () => {
    await mutate('carol', 'flagUser', { userId: 'ivan', reason: 'HARASSMENT_OR_BULLYING' });
    const all = await queue('first: 100');
    expect(new Set(all.items.map(({ kind }) => kind))).toEqual(
      new Set(['POST', 'COMMENT', 'STORY', 'MESSAGE', 'USER']),
    );
    expect(all.items.filter(({ states }) => states.includes('AWAITING_REVIEW')).length).toBeGreaterThan(0);
    expect(new Set(names(all)).size).toBe(all.items.length);
    const times = (await queue('first: 100', 'admin', 'createdAt')).items as unknown as Array<{ createdAt: string }>;
    expect(times).toEqual([...times].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)));

    const paged: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await queue(`first: 2${after ? `, after: "${after}"` : ''}`);
      paged.push(...names(page));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(paged).toEqual(names(all));
    const backward: string[] = [];
    for (let before: string | null = null; ; ) {
      const page = await queue(`last: 3${before ? `, before: "${before}"` : ''}`);
      backward.unshift(...names(page));
      if (!page.pageInfo.hasPreviousPage) break;
      before = page.pageInfo.startCursor;
    }
    expect(backward).toEqual(names(all));
    expect(names(await queue('first: 100, sortBy: FIRST_CREATED'))).toEqual(names(all).reverse());
  });

  test('filters by kind, state, place, author and time', async () => {
    const from = new Date().toISOString();
    const postId = await flaggedPost();
    const waiting = await createPost('Please review', 'orchard-keepers', 'grace');
    const to = new Date(Date.now() + 60_000).toISOString();
    expect(names(await queue(`filter: { from: "${from}" }`)).sort()).toEqual(
      [`POST ${postId}`, `POST ${waiting}`].sort(),
    );
    expect(names(await queue(`filter: { from: "${to}" }`))).toEqual([]);
    expect(names(await queue(`filter: { from: "${from}", state: AWAITING_REVIEW }`))).toEqual([`POST ${waiting}`]);
    expect(names(await queue(`filter: { from: "${from}", state: FLAGGED }`))).toEqual([`POST ${postId}`]);
    expect(names(await queue(`filter: { from: "${from}", authorId: "grace" }`))).toEqual([`POST ${waiting}`]);
    expect(names(await queue(`filter: { from: "${from}", communityId: "gardeners" }`))).toEqual([`POST ${postId}`]);
    const comments = await queue('first: 100, filter: { kinds: [COMMENT] }');
    expect(comments.items.length).toBeGreaterThan(1);
    expect(comments.items.every(({ kind }) => kind === 'COMMENT')).toBe(true);
    const messages = await queue('filter: { channelId: "gardeners-chat" }');
    expect(messages.items.every(({ kind }) => kind === 'MESSAGE')).toBe(true);
  });

  test('lists a post that is flagged and in review once', async () => {
    const waiting = await createPost('Both', 'orchard-keepers', 'grace');
    await mutate('frank', 'flagPost', { postId: waiting });
    for (const args of ['first: 100', 'first: 100, filter: { state: FLAGGED }']) {
      const found = (await queue(args)).items.filter(({ itemId }) => itemId === waiting);
      expect(found).toEqual([{ kind: 'POST', itemId: waiting, states: ['FLAGGED', 'AWAITING_REVIEW'], flagCount: 1 }]);
    }
  });

  test('shows the flags with reason, detail and flagger, the place, the parent and the history of the author', async () => {
    const postId = await createPost('Parent');
    const input = { referenceId: postId, data: { text: 'Buy now' } };
    const { comment } = await mutate('ivan', 'createComment', input, 'comment { commentId }');
    await mutate('carol', 'flagComment', { commentId: comment.commentId, reason: 'SPAM_OR_SCAMS', detail: 'Again' });
    const fields = `content { __typename ... on Comment { commentId data } } parent { __typename ... on Post { postId } }
      author { userId } community { communityId } channel { channelId } authorHistory { removals flags bans }
      flags { edges { node { userId reason detail user { userId } } } }`;
    const { moderationItem: item } = await ask(
      gateway,
      `{ moderationItem(kind: COMMENT, itemId: "${comment.commentId}") { ${fields} } }`,
      { as: 'admin' },
    );
    expect(item).toMatchObject({
      content: { __typename: 'Comment', commentId: comment.commentId },
      parent: { __typename: 'Post', postId },
      author: { userId: 'ivan' },
      community: { communityId: 'gardeners' },
      channel: null,
      flags: {
        edges: [{ node: { userId: 'carol', reason: 'SPAM_OR_SCAMS', detail: 'Again', user: { userId: 'carol' } } }],
      },
    });
    const before = item.authorHistory;
    await mutate('admin', 'deleteComment', { commentId: comment.commentId });
    const second = (await mutate('ivan', 'createComment', input, 'comment { commentId }')).comment.commentId;
    await mutate('carol', 'flagComment', { commentId: second });
    const history = async (as: string) =>
      (
        await ask(
          gateway,
          `{ moderationItem(kind: COMMENT, itemId: "${second}") { authorHistory { removals flags bans } } }`,
          {
            as,
          },
        )
      ).moderationItem.authorHistory;
    expect(await history('admin')).toEqual({
      removals: before.removals + 1,
      flags: before.flags + 1,
      bans: before.bans,
    });
  });

  test('moderators of a community see the items there, others none', async () => {
    const all = await queue('first: 100, filter: { communityId: "gardeners" }');
    const own = await queue('first: 100', 'alice');
    expect(names(own)).toEqual(expect.arrayContaining(names(all)));
    expect(names(own).some((name) => name.startsWith('USER'))).toBe(false);
    expect(names(await queue('first: 100', 'bob'))).toEqual([]);
    const [{ kind, itemId }] = all.items as [Item];
    const asBob = await ask(gateway, `{ moderationItem(kind: ${kind}, itemId: "${itemId}") { flagCount } }`, {
      as: 'bob',
    });
    expect(asBob.moderationItem).toBeNull();
  });

  test('lists the 200 communities that a moderator joined last, says that it omits others, and lists a named one', async () => {
    const { communities, communityUsers, posts } = gateway.services.store.collections;
    const postId = await flaggedPost('In many places');
    const [place, membership, post] = await Promise.all([
      communities.findOne({ networkId: 'default', communityId: 'gardeners' }),
      communityUsers.findOne({ networkId: 'default', communityId: 'gardeners', userId: 'alice' }),
      posts.findOne({ networkId: 'default', postId }),
    ]);
    const omits = async (args = '') => {
      const { moderationQueue } = await ask(gateway, `{ moderationQueue${args} { omitsPlaces } }`, { as: 'judy' });
      return moderationQueue.omitsPlaces as boolean;
    };
    const MANY = 201;
    for (let index = 0; index < MANY; index += 1) {
      if (index === MANY - 1) expect(await omits()).toBe(false);
      const communityId = `many-${index}`;
      const _id = new ObjectId();
      const communityInternalId = _id.toHexString();
      await communities.insertOne({ ...place!, _id, communityId });
      const joined = { createdAt: new Date(Date.UTC(2026, 0) + index * 1_000), communityId, communityInternalId };
      await communityUsers.insertOne({ ...membership!, ...joined, _id: new ObjectId(), userId: 'judy' });
      if (index % 200 === 0)
        await posts.insertOne({ ...post!, _id: new ObjectId(), postId: `in-${index}`, targetId: communityId });
    }
    expect(names(await queue('first: 100', 'judy'))).toEqual(['POST in-200']);
    expect(await omits()).toBe(true);
    const first = 'filter: { communityId: "many-0" }';
    expect(names(await queue(first, 'judy'))).toEqual(['POST in-0']);
    expect(await omits(`(${first})`)).toBe(false);
    expect(await ask(gateway, '{ moderationQueue { omitsPlaces } }', { as: 'admin' })).toEqual({
      moderationQueue: { omitsPlaces: false },
    });
    await communities.deleteMany({ networkId: 'default', communityId: { $regex: '^many-' } });
    await communityUsers.deleteMany({ networkId: 'default', communityId: { $regex: '^many-' } });
    await posts.deleteMany({ networkId: 'default', postId: { $in: ['in-0', 'in-200'] } });
  });

  test('rejects a community together with a channel, and cursors of other lists', async () => {
    for (const args of [
      'filter: { communityId: "gardeners", channelId: "gardeners-chat" }',
      'after: "bm90IGEgY3Vyc29y"',
      'first: 101',
    ]) {
      const { errors } = await gateway.graphql(`{ moderationQueue(${args}) { edges { cursor } } }`, { as: 'admin' });
      expect(errors, args).toHaveLength(1);
    }
  });
});

describe('resolving items', () => {
  test('deletes a post with the reason in the audit log, after which it is no item', async () => {
    const postId = await flaggedPost();
    const input = { kind: 'POST', itemId: postId, action: 'DELETE', reason: 'Advertising' };
    expect(await mutate('alice', 'resolveModerationItem', input, 'kind itemId')).toMatchObject({ itemId: postId });
    expect(await auditOf(postId)).toMatchObject([
      {
        action: 'resolveModerationItem',
        actorId: 'alice',
        affectedUserId: 'bob',
        communityId: 'gardeners',
        reason: 'Advertising',
        details: { permanent: false, resolution: 'delete' },
      },
    ]);
    expect(await attempt('alice', 'resolveModerationItem', input, 'itemId')).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('bans the author and deletes the content in one transaction, or does neither', async () => {
    const postId = await flaggedPost();
    const ban = { kind: 'POST', itemId: postId, action: 'BAN_AUTHOR', reason: 'Spam' };
    // A moderator of the community cannot ban from the network.
    expect(await attempt('alice', 'resolveModerationItem', ban, 'itemId')).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await attempt('alice', 'resolveModerationItem', { ...ban, banFrom: 'CHANNEL' }, 'itemId')).toMatchObject({
      code: 'INVALID_PARAMETERS',
      path: ['banFrom'],
    });
    const past = { ...ban, banExpiresAt: '2020-01-01T00:00:00.000Z' };
    expect(await attempt('admin', 'resolveModerationItem', past, 'itemId')).toMatchObject({
      code: 'INVALID_PARAMETERS',
    });
    expect((await ask(gateway, `{ post(postId: "${postId}") { isDeleted } }`)).post).toEqual({ isDeleted: false });
    await mutate('alice', 'resolveModerationItem', { ...ban, banFrom: 'COMMUNITY' });
    expect((await ask(gateway, `{ post(postId: "${postId}") { isDeleted } }`)).post).toEqual({ isDeleted: true });
    const { bans } = await ask(
      gateway,
      '{ bans(filter: { kind: COMMUNITY, communityId: "gardeners", userId: "bob" }) { edges { node { reason } } } }',
    );
    expect(bans.edges).toEqual([{ node: { reason: 'Spam' } }]);
    await mutate('alice', 'unbanCommunityMembers', { communityId: 'gardeners', userIds: ['bob'] });
    await mutate('alice', 'addCommunityMembers', { communityId: 'gardeners', userIds: ['bob'] });
  });

  test('approves a flagged post in review: it is published without flags', async () => {
    const waiting = await createPost('Both', 'orchard-keepers', 'grace');
    await mutate('frank', 'flagPost', { postId: waiting });
    await mutate('frank', 'resolveModerationItem', { kind: 'POST', itemId: waiting, action: 'APPROVE' });
    const { post } = await ask(gateway, `{ post(postId: "${waiting}") { feedType flagCount } }`, { as: 'frank' });
    expect(post).toEqual({ feedType: 'PUBLISHED', flagCount: 0 });
  });

  test('rejects decisions that do not apply', async () => {
    const postId = await flaggedPost();
    const decide = (input: object, as = 'admin') => attempt(as, 'resolveModerationItem', input, 'itemId');
    const item = { kind: 'POST', itemId: postId };
    expect(await decide({ ...item, action: 'DECLINE' })).toMatchObject({ code: 'BAD_REQUEST', path: ['action'] });
    expect(await decide({ kind: 'USER', itemId: 'ivan', action: 'DELETE' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await decide({ ...item, action: 'APPROVE' }, 'carol')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await decide({ ...item, action: 'APPROVE', reason: 'x'.repeat(1_001) })).toMatchObject({
      code: 'INVALID_PARAMETERS',
    });
    expect(await decide({ kind: 'COMMENT', itemId: postId, action: 'APPROVE' })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('resolves several items, with a result for each, and repeats the stored results', async () => {
    const [first, second] = [await flaggedPost(), await flaggedPost()];
    const items = [first, 'none', second, first].map((itemId) => ({ kind: 'POST', itemId }));
    const input = { items, action: 'DELETE', reason: 'Spam', clientMutationId: 'moderation-bulk' };
    const select = 'results { kind itemId code message }';
    const expected = {
      results: [
        { kind: 'POST', itemId: first, code: null, message: null },
        { kind: 'POST', itemId: 'none', code: 'NOT_FOUND', message: expect.any(String) },
        { kind: 'POST', itemId: second, code: null, message: null },
      ],
    };
    expect(await mutate('alice', 'resolveModerationItems', input, select)).toMatchObject(expected);
    expect(await mutate('alice', 'resolveModerationItems', input, select)).toMatchObject(expected);
    expect(await auditOf(second)).toMatchObject([{ action: 'resolveModerationItems', reason: 'Spam' }]);
    const tooMany = {
      items: Array.from({ length: 51 }, (_, i) => ({ kind: 'POST', itemId: `${i}` })),
      action: 'DELETE',
    };
    for (const wrong of [tooMany, { items: [], action: 'DELETE' }]) {
      expect(await attempt('alice', 'resolveModerationItems', wrong, select)).toMatchObject({
        code: 'INVALID_PARAMETERS',
      });
    }
  });

  test('of two moderators who decide concurrently, one gets NOT_FOUND', async () => {
    const postId = await flaggedPost();
    const input = { kind: 'POST', itemId: postId, action: 'DELETE' };
    const answers = await Promise.all(
      ['alice', 'admin'].map((as) => attempt(as, 'resolveModerationItem', input, 'itemId')),
    );
    expect(answers.map(({ code }) => code ?? 'resolved').sort()).toEqual(['NOT_FOUND', 'resolved']);
    expect(await auditOf(postId)).toHaveLength(1);
  });
});
