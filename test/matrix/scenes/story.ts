import type { StoryRecord } from '../../../src/store/records/content.ts';
import { emptyIn, type IsAbsentInRest, mutationScene, type Scene } from '../scene.ts';
import { communityLike, storyAt } from '../social-things.ts';
import { STAGE } from '../stage.ts';
import { postIn } from '../things.ts';
import type { RestRequest, Variables, World } from '../world.ts';

type Made = (world: World) => Promise<StoryRecord>;

const inCommunity =
  (targetId: string, given: Partial<StoryRecord> = {}): Made =>
  (world) =>
    storyAt(world, { targetType: 'community', targetId }, given);
const inPublic = inCommunity(STAGE.community);
const inPrivate = inCommunity(STAGE.privateCommunity);
const expired = inCommunity(STAGE.community, { expiresAt: new Date(Date.now() - 1_000) });
const deleted = inCommunity(STAGE.community, { isDeleted: true });
const onProfile: Made = (world) => storyAt(world, { targetType: 'user', targetId: 'author' });
const select = 'story { storyId }';
const hasNoEdge = (answer: unknown): boolean => (answer as { edges: unknown[] }).edges.length === 0;

function ofStory(
  operation: string,
  situation: string,
  made: Made,
  { input = {}, rest }: { input?: object; rest?: (storyId: string, input: object) => RestRequest } = {},
): Scene {
  return mutationScene(operation, situation, {
    select,
    prepare: async (world) => ({ storyId: (await made(world)).storyId, ...input }),
    ...(rest && { rest: ({ input }) => rest((input as { storyId: string }).storyId, input as object) }),
  });
}

const story = (situation: string, made: Made): Scene => ({
  operation: 'story',
  situation,
  document: 'query ($storyId: String!) { answer: story(storyId: $storyId) { storyId } }',
  prepare: async (world) => ({ storyId: (await made(world)).storyId }),
  rest: ({ storyId }) => ({ method: 'GET', path: `/api/v4/stories/${storyId}` }),
});

const list = (situation: string, made: Made): Scene => ({
  operation: 'stories',
  situation,
  document: `query ($targetType: StoryTargetType!, $targetId: String!) {
    answer: stories(targetType: $targetType, targetId: $targetId) { edges { node { storyId } } }
  }`,
  async prepare(world) {
    const { targetType, targetId } = await made(world);
    return { targetType: targetType.toUpperCase(), targetId };
  },
  isAbsent: (answer) => answer === null || hasNoEdge(answer),
  isAbsentInRest: emptyIn('stories'),
  rest: ({ targetType, targetId }) => ({
    method: 'GET',
    path: `/api/v4/stories?targetType=${String(targetType).toLowerCase()}&targetId=${targetId}`,
  }),
});

const viewers = (situation: string, made: Made): Scene => ({
  operation: 'storyViewers',
  situation,
  document: 'query ($storyId: String!) { answer: storyViewers(storyId: $storyId) { edges { node { userId } } } }',
  prepare: async (world) => ({ storyId: (await made(world)).storyId }),
  rest: ({ storyId }) => ({ method: 'GET', path: `/api/v1/analytics/views/stories/${storyId}/users` }),
});

/** Both ways to ask for several places at once. */
const SEVERAL = [
  { operation: 'storiesOfTargets', field: 'storyId', path: '/api/v4/stories-by-targets', array: 'stories' },
  { operation: 'storyTargetsByIds', field: 'targetId', path: '/api/v4/stories/seen', array: 'storyTargets' },
];

const several = (situation: string, made: Made): Scene[] =>
  SEVERAL.map(({ operation, field, path, array }) => ({
    operation,
    situation,
    document: `query ($targets: [StoryTargetInput!]!) { answer: ${operation}(targets: $targets) { ${field} } }`,
    async prepare(world) {
      const { targetType, targetId } = await made(world);
      return { targets: [{ targetType: targetType.toUpperCase(), targetId }] };
    },
    isAbsent: (answer) => (answer as unknown[]).length === 0,
    isAbsentInRest: emptyIn(array),
    rest({ targets }) {
      const [{ targetType, targetId }] = targets as [{ targetType: string; targetId: string }];
      const target = `targets[0][targetType]=${targetType.toLowerCase()}&targets[0][targetId]=${targetId}`;
      return { method: 'GET', path: `${path}?${target}` };
    },
  }));

/** Of a community of its own, the newest of all. */
const targets = (situation: string, isPublic: boolean): Scene => ({
  operation: 'viewerStoryTargets',
  situation,
  document: '{ answer: viewerStoryTargets(seenState: ALL, first: 1) { edges { node { targetId } } } }',
  async prepare(world) {
    await world.gateway.services.store.collections.storyTargets.deleteMany({
      networkId: 'default',
      targetType: 'community',
    });
    const targetId = await communityLike(world, { isPublic });
    await storyAt(world, { targetType: 'community', targetId });
    return {};
  },
  isAbsent: hasNoEdge,
  isAbsentInRest: emptyIn('storyTargets'),
  rest: () => ({ method: 'GET', path: '/api/v5/me/global-story-targets?seenState=all&limit=1' }),
});

const creation = (situation: string, targetType: 'COMMUNITY' | 'USER', targetOf: (actor: string) => string): Scene =>
  mutationScene('createStory', situation, {
    select,
    prepare: (_, actor) => ({ targetType, targetId: targetOf(actor), dataType: 'TEXT', data: { text: 'Hello' } }),
    rest({ input }) {
      const body = { ...(input as object), targetType: targetType.toLowerCase(), dataType: 'text' };
      return { method: 'POST', path: '/api/v4/stories', body };
    },
  });

const deletion = (input = {}) => ({
  input,
  rest: (id: string, body: object): RestRequest => ({ method: 'DELETE', path: `/api/v4/stories/${id}`, body }),
});

type Seen = { postIds?: string[]; storyIds?: string[] };

/** REST answers success whatever was counted (legacy-facts §7), so the store is asked. */
const isNotViewed: IsAbsentInRest = async (_, { input }, world) => {
  const { postIds = [], storyIds = [] } = input as Seen;
  const referenceId = { $in: [...postIds, ...storyIds] };
  const referenceType = { $in: ['post', 'story'] as const };
  return !(await world.gateway.services.store.collections.views.findOne({
    networkId: 'default',
    referenceType,
    referenceId,
  }));
};

const view = (situation: string, seen: (world: World) => Promise<Variables>): Scene =>
  mutationScene('recordViews', situation, {
    select: 'postIds storyIds',
    prepare: seen,
    isAbsent(answer) {
      const { postIds, storyIds } = answer as { postIds: string[]; storyIds: string[] };
      return postIds.length + storyIds.length === 0;
    },
    isAbsentInRest: isNotViewed,
    rest({ input }) {
      const { postIds = [], storyIds = [] } = input as Seen;
      const activities = [
        ...postIds.map((contentId) => ({ contentType: 'post', contentId, activityType: 'view' })),
        ...storyIds.map((contentId) => ({ contentType: 'story', contentId, activityType: 'view' })),
      ];
      return { method: 'POST', path: '/api/v1/analytics/activities', body: { activities } };
    },
  });

export const STORY_SCENES: Scene[] = [
  story('in a public community', inPublic),
  story('in a private community', inPrivate),
  story('on a profile', onProfile),
  story('of `author` that has expired', expired),
  story('of `author` that is deleted', deleted),
  list('of a public community', inPublic),
  list('of a private community', inPrivate),
  list('of a user', onProfile),
  targets('a public community', true),
  targets('a private community', false),
  viewers('of `author` in a public community', inPublic),
  viewers('of `author` in a private community', inPrivate),
  viewers('of `author` on their profile', onProfile),
  ...several('a public community', inPublic),
  ...several('a private community', inPrivate),
  ...several('a user', onProfile),
  creation('in a public community', 'COMMUNITY', () => STAGE.community),
  creation('in a private community', 'COMMUNITY', () => STAGE.privateCommunity),
  creation('on one’s own profile', 'USER', (actor) => actor),
  creation('on somebody else’s profile', 'USER', () => 'bystander'),
  ofStory('deleteStory', 'of `author` in a public community', inPublic, deletion()),
  ofStory('deleteStory', 'of `author` in a private community', inPrivate, deletion()),
  ofStory('deleteStory', 'of `author` on their profile', onProfile, deletion()),
  ofStory('deleteStory', 'for good', inPublic, deletion({ permanent: true })),
  ofStory('markStorySeen', 'in a public community', inPublic),
  ofStory('markStorySeen', 'in a private community', inPrivate),
  ofStory('flagStory', 'in a public community', inPublic),
  ofStory('flagStory', 'in a private community', inPrivate),
  ofStory('unflagStory', 'in a public community', inPublic),
  ofStory('unflagStory', 'in a private community', inPrivate),
  ofStory('clearStoryFlags', 'in a public community', inPublic),
  ofStory('clearStoryFlags', 'in a private community', inPrivate),
  ofStory('clearStoryFlags', 'on a profile', onProfile),
  view('a post in a public community', async (world) => ({ postIds: [(await postIn(world, STAGE.community)).postId] })),
  view('a story in a private community', async (world) => ({ storyIds: [(await inPrivate(world)).storyId] })),
];
