import type { StoryRecord } from '../../../src/store/records/content.ts';
import { PLACE_IDS } from '../actors.ts';
import { createPost, markFlagged } from '../content.ts';
import type { Fixtures, RestRequest, Variables } from '../fixtures.ts';
import { emptyIn, type IsAbsentInRest, type MatrixCase, mutationCase } from '../matrix-case.ts';
import { createCommunityLike, createStory } from '../social-content.ts';

type CreateRecord = (fixtures: Fixtures) => Promise<StoryRecord>;

const inCommunity =
  (targetId: string, given: Partial<StoryRecord> = {}): CreateRecord =>
  (fixtures) =>
    createStory(fixtures, { targetType: 'community', targetId }, given);
const inPublic = inCommunity(PLACE_IDS.community);
const inPrivate = inCommunity(PLACE_IDS.privateCommunity);
const expired = inCommunity(PLACE_IDS.community, { expiresAt: new Date(Date.now() - 1_000) });
const deleted = inCommunity(PLACE_IDS.community, { isDeleted: true });
const onProfile: CreateRecord = (fixtures) => createStory(fixtures, { targetType: 'user', targetId: 'author' });
const select = 'story { storyId }';
const hasNoEdge = (answer: unknown): boolean => (answer as { edges: unknown[] }).edges.length === 0;

function ofStory(
  operation: string,
  situation: string,
  createRecord: CreateRecord,
  { input = {}, rest }: { input?: object; rest?: (storyId: string, input: object) => RestRequest } = {},
): MatrixCase {
  return mutationCase(operation, situation, {
    select,
    prepare: async (fixtures) => {
      const { storyId } = await createRecord(fixtures);
      if (operation.startsWith('clear')) await markFlagged(fixtures, 'stories', { storyId });
      return { storyId, ...input };
    },
    ...(rest && { rest: ({ input }) => rest((input as { storyId: string }).storyId, input as object) }),
  });
}

const story = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'story',
  situation,
  document: 'query ($storyId: String!) { answer: story(storyId: $storyId) { storyId } }',
  prepare: async (fixtures) => ({ storyId: (await createRecord(fixtures)).storyId }),
  rest: ({ storyId }) => ({ method: 'GET', path: `/api/v4/stories/${storyId}` }),
});

const list = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'stories',
  situation,
  document: `query ($targetType: StoryTargetType!, $targetId: String!) {
    answer: stories(targetType: $targetType, targetId: $targetId) { edges { node { storyId } } }
  }`,
  async prepare(fixtures) {
    const { targetType, targetId } = await createRecord(fixtures);
    return { targetType: targetType.toUpperCase(), targetId };
  },
  isAbsent: (answer) => answer === null || hasNoEdge(answer),
  isAbsentInRest: emptyIn('stories'),
  rest: ({ targetType, targetId }) => ({
    method: 'GET',
    path: `/api/v4/stories?targetType=${String(targetType).toLowerCase()}&targetId=${targetId}`,
  }),
});

const viewers = (situation: string, createRecord: CreateRecord): MatrixCase => ({
  operation: 'storyViewers',
  situation,
  document: 'query ($storyId: String!) { answer: storyViewers(storyId: $storyId) { edges { node { userId } } } }',
  prepare: async (fixtures) => ({ storyId: (await createRecord(fixtures)).storyId }),
  rest: ({ storyId }) => ({ method: 'GET', path: `/api/v1/analytics/views/stories/${storyId}/users` }),
});

/** Both parameters for stories of several targets. */
const SEVERAL = [
  { operation: 'storiesOfTargets', field: 'storyId', path: '/api/v4/stories-by-targets', array: 'stories' },
  { operation: 'storyTargetsByIds', field: 'targetId', path: '/api/v4/stories/seen', array: 'storyTargets' },
];

const several = (situation: string, createRecord: CreateRecord): MatrixCase[] =>
  SEVERAL.map(({ operation, field, path, array }) => ({
    operation,
    situation,
    document: `query ($targets: [StoryTargetInput!]!) { answer: ${operation}(targets: $targets) { ${field} } }`,
    async prepare(fixtures) {
      const { targetType, targetId } = await createRecord(fixtures);
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

/** The newest story, in a new community. */
const targets = (situation: string, isPublic: boolean): MatrixCase => ({
  operation: 'viewerStoryTargets',
  situation,
  document: '{ answer: viewerStoryTargets(seenState: ALL, first: 1) { edges { node { targetId } } } }',
  async prepare(fixtures) {
    await fixtures.gateway.services.store.collections.storyTargets.deleteMany({
      networkId: 'default',
      targetType: 'community',
    });
    const targetId = await createCommunityLike(fixtures, { isPublic });
    await createStory(fixtures, { targetType: 'community', targetId });
    return {};
  },
  isAbsent: hasNoEdge,
  isAbsentInRest: emptyIn('storyTargets'),
  rest: () => ({ method: 'GET', path: '/api/v5/me/global-story-targets?seenState=all&limit=1' }),
});

const creation = (
  situation: string,
  targetType: 'COMMUNITY' | 'USER',
  targetOf: (actor: string) => string,
): MatrixCase =>
  mutationCase('createStory', situation, {
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

/** REST always responds with success, so the outcome is read from the store. */
const isNotViewed: IsAbsentInRest = async (_, { input }, fixtures) => {
  const { postIds = [], storyIds = [] } = input as Seen;
  const referenceId = { $in: [...postIds, ...storyIds] };
  const referenceType = { $in: ['post', 'story'] as const };
  return !(await fixtures.gateway.services.store.collections.views.findOne({
    networkId: 'default',
    referenceType,
    referenceId,
  }));
};

const view = (situation: string, seen: (fixtures: Fixtures) => Promise<Variables>): MatrixCase =>
  mutationCase('recordViews', situation, {
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

export const STORY_CASES: MatrixCase[] = [
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
  creation('in a public community', 'COMMUNITY', () => PLACE_IDS.community),
  creation('in a private community', 'COMMUNITY', () => PLACE_IDS.privateCommunity),
  creation('on one’s own profile', 'USER', (actor) => actor),
  creation('on another user’s profile', 'USER', () => 'bystander'),
  ofStory('deleteStory', 'of `author` in a public community', inPublic, deletion()),
  ofStory('deleteStory', 'of `author` in a private community', inPrivate, deletion()),
  ofStory('deleteStory', 'of `author` on their profile', onProfile, deletion()),
  ofStory('deleteStory', 'permanently', inPublic, deletion({ permanent: true })),
  ofStory('markStorySeen', 'in a public community', inPublic),
  ofStory('markStorySeen', 'in a private community', inPrivate),
  ofStory('flagStory', 'in a public community', inPublic),
  ofStory('flagStory', 'in a private community', inPrivate),
  ofStory('unflagStory', 'in a public community', inPublic),
  ofStory('unflagStory', 'in a private community', inPrivate),
  ofStory('clearStoryFlags', 'in a public community', inPublic),
  ofStory('clearStoryFlags', 'in a private community', inPrivate),
  ofStory('clearStoryFlags', 'on a profile', onProfile),
  view('a post in a public community', async (fixtures) => ({
    postIds: [(await createPost(fixtures, PLACE_IDS.community)).postId],
  })),
  view('a story in a private community', async (fixtures) => ({ storyIds: [(await inPrivate(fixtures)).storyId] })),
];
