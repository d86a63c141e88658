import type { Collection } from 'mongodb';
import { createContext } from '../../../src/context.ts';
import { recordAudit } from '../../../src/domain/audit/record-audit.ts';
import { PLACE_IDS } from '../actors.ts';
import { createComment, createMessage, createPost, markFlagged } from '../content.ts';
import type { Fixtures } from '../fixtures.ts';
import { type MatrixCase, mutationCase } from '../matrix-case.ts';
import { createPlace, ensureUser } from '../places.ts';
import { createReviewedPost, createUserPost } from '../social-content.ts';

interface Key {
  kind: 'POST' | 'COMMENT' | 'MESSAGE' | 'USER';
  itemId: string;
}

/** Creates an item of the moderation queue. */
const ITEMS: { [situation: string]: (fixtures: Fixtures) => Promise<Key> } = {
  async 'a flagged post in a community'(fixtures) {
    const { postId } = await createPost(fixtures, PLACE_IDS.privateCommunity);
    await markFlagged(fixtures, 'posts', { postId });
    return { kind: 'POST', itemId: postId };
  },
  async 'a post that awaits review'(fixtures) {
    const { postId } = await createReviewedPost(fixtures, PLACE_IDS.community);
    return { kind: 'POST', itemId: postId };
  },
  async 'a flagged comment in a community'(fixtures) {
    const { commentId } = await createComment(fixtures, await createPost(fixtures, PLACE_IDS.community));
    await markFlagged(fixtures, 'comments', { commentId });
    return { kind: 'COMMENT', itemId: commentId };
  },
  async 'a flagged post on a user’s feed'(fixtures) {
    const { postId } = await createUserPost(fixtures);
    await markFlagged(fixtures, 'posts', { postId });
    return { kind: 'POST', itemId: postId };
  },
  async 'a flagged message in a channel'(fixtures) {
    const { messageId } = await createMessage(fixtures, PLACE_IDS.channel);
    await markFlagged(fixtures, 'messages', { messageId });
    return { kind: 'MESSAGE', itemId: messageId };
  },
  async 'a flagged user'(fixtures) {
    const { userId } = await ensureUser(fixtures, fixtures.uniqueId('flagged'));
    await markFlagged(fixtures, 'users', { userId });
    return { kind: 'USER', itemId: userId };
  },
};

const STORED = {
  POST: ['posts', 'postId'],
  COMMENT: ['comments', 'commentId'],
  MESSAGE: ['messages', 'messageId'],
  USER: ['users', 'userId'],
} as const;

/** Makes an item newer than all others. @returns its time */
async function makeNewest({ gateway }: Fixtures, { kind, itemId }: Key): Promise<string> {
  const [name, id] = STORED[kind];
  const createdAt = new Date();
  const collection = gateway.services.store.collections[name] as unknown as Collection;
  await collection.updateOne({ networkId: 'default', [id]: itemId }, { $set: { createdAt } });
  return createdAt.toISOString();
}

const QUEUE_CASES: MatrixCase[] = Object.entries(ITEMS).flatMap(([situation, create]): MatrixCase[] => [
  {
    operation: 'moderationQueue',
    situation,
    document: `query ($filter: ModerationQueueFilter) {
      answer: moderationQueue(first: 100, filter: $filter) { edges { node { itemId } } }
    }`,
    async prepare(fixtures) {
      const key = await create(fixtures);
      // The moderator of the fixtures has more communities than a queue that names none contains.
      const place = situation === 'a flagged post in a community' ? { communityId: PLACE_IDS.privateCommunity } : {};
      return { filter: { kinds: [key.kind], from: await makeNewest(fixtures, key), ...place } };
    },
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  {
    operation: 'moderationItem',
    situation,
    document:
      'query ($kind: ModerationKind!, $itemId: String!) { answer: moderationItem(kind: $kind, itemId: $itemId) { itemId } }',
    prepare: async (fixtures) => ({ ...(await create(fixtures)) }),
  },
]);

const RESOLVE_CASES: MatrixCase[] = [
  ['a flagged post in a community', 'CLEAR_FLAGS'],
  ['a post that awaits review', 'APPROVE'],
  ['a flagged message in a channel', 'DELETE'],
  ['a flagged user', 'CLEAR_FLAGS'],
].map(([situation, action]) =>
  mutationCase('resolveModerationItem', situation!, {
    select: 'itemId',
    prepare: async (fixtures) => ({ ...(await ITEMS[situation!]!(fixtures)), action }),
  }),
);

const BULK_CASES: MatrixCase[] = ['a flagged comment in a community', 'a flagged user'].map((situation) =>
  mutationCase('resolveModerationItems', situation, {
    select: 'results { code }',
    prepare: async (fixtures) => ({ items: [await ITEMS[situation]!(fixtures)], action: 'CLEAR_FLAGS' }),
    isAbsent: (answer) => (answer as { results: Array<{ code: string | null }> }).results[0]!.code === 'NOT_FOUND',
  }),
);

/** Cases of the moderation queue, the audit log and bans. */
export const MODERATION_CASES: MatrixCase[] = [
  ...QUEUE_CASES,
  ...RESOLVE_CASES,
  ...BULK_CASES,
  {
    operation: 'auditLog',
    situation: 'of the network',
    document: 'query ($filter: AuditLogFilter) { answer: auditLog(filter: $filter) { edges { node { action } } } }',
    async prepare({ gateway: { services }, uniqueId }) {
      const action = uniqueId('act');
      const act = { subjectType: 'network', subjectId: 'default', action } as const;
      const options = { networkId: 'default', actorKind: 'operator' } as const;
      await services.store.transaction((session) =>
        recordAudit(createContext(services, null), session, [act], options),
      );
      return { filter: { action } };
    },
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  },
  mutesCase('in all channels', async (fixtures) => ({ userId: (await createMuted(fixtures)).userId })),
  mutesCase('in a channel', createMuted),
  bansCase('from the network', async (fixtures) => {
    const { userId } = await ensureUser(fixtures, fixtures.uniqueId('banned'), { isGlobalBan: true });
    return { kind: 'NETWORK', userId };
  }),
  bansCase('from a community', async (fixtures) => {
    const { communityId } = await createPlace(fixtures);
    return { kind: 'COMMUNITY', communityId };
  }),
  bansCase('from a channel', async (fixtures) => {
    const { channelId } = await createPlace(fixtures);
    return { kind: 'CHANNEL', channelId };
  }),
];

function bansCase(situation: string, filterOf: (fixtures: Fixtures) => Promise<object>): MatrixCase {
  return {
    operation: 'bans',
    situation,
    document: 'query ($filter: BanFilter!) { answer: bans(filter: $filter) { edges { node { userId reason } } } }',
    prepare: async (fixtures) => ({ filter: await filterOf(fixtures) }),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  };
}

function mutesCase(situation: string, filterOf: (fixtures: Fixtures) => Promise<object>): MatrixCase {
  return {
    operation: 'mutes',
    situation,
    document: 'query ($filter: MuteFilter) { answer: mutes(filter: $filter) { edges { node { userId reason } } } }',
    prepare: async (fixtures) => ({ filter: await filterOf(fixtures) }),
    isAbsent: (answer) => (answer as { edges: unknown[] }).edges.length === 0,
  };
}

/** A muted member of a new channel. */
async function createMuted(fixtures: Fixtures): Promise<{ channelId: string; userId: string }> {
  const { channelId } = await createPlace(fixtures);
  const mutedUntil = new Date(Date.now() + 3_600_000);
  await fixtures.gateway.services.store.collections.channelUsers.updateOne(
    { networkId: 'default', channelId, userId: 'member' },
    { $set: { isMuted: true, muteTimeout: mutedUntil, mutedUntil } },
  );
  return { channelId: channelId!, userId: 'member' };
}
