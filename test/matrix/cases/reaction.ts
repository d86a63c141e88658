import { PLACE_IDS } from '../actors.ts';
import { createMessage, createPost } from '../content.ts';
import type { Fixtures, RestRequest, Variables } from '../fixtures.ts';
import { type MatrixCase, mutationCase } from '../matrix-case.ts';

const reactionName = 'like';
const toPost = async (fixtures: Fixtures, communityId: string) => ({
  referenceType: 'POST',
  referenceId: (await createPost(fixtures, communityId)).postId,
  reactionName,
});
const toMessage = async (fixtures: Fixtures, channelId: string) => ({
  referenceType: 'MESSAGE',
  referenceId: (await createMessage(fixtures, channelId)).messageId,
  reactionName,
});
/** REST uses lower case for types. */
const byRest =
  (method: 'POST' | 'DELETE') =>
  ({ input }: Variables): RestRequest => {
    const { referenceType, ...body } = input as Variables;
    return { method, path: '/api/v2/reactions', body: { ...body, referenceType: String(referenceType).toLowerCase() } };
  };

const one = (situation: string, communityId: string): MatrixCase => ({
  operation: 'reaction',
  situation,
  document: 'query ($reactionId: String!) { answer: reaction(reactionId: $reactionId) { reactionName } }',
  async prepare(fixtures) {
    const payload = await fixtures.mutate<{ reaction: { reactionId: string } }>(
      'bystander',
      'addReaction',
      await toPost(fixtures, communityId),
      'reaction { reactionId }',
    );
    return { reactionId: payload.reaction.reactionId };
  },
});

const list = (situation: string, targetOf: (fixtures: Fixtures) => Promise<object>): MatrixCase => ({
  operation: 'reactions',
  situation,
  document: `query ($referenceType: ReactionReferenceType!, $referenceId: String!) {
    answer: reactions(referenceType: $referenceType, referenceId: $referenceId) { edges { node { reactionName } } }
  }`,
  async prepare(fixtures) {
    const { reactionName: _, ...reference } = (await targetOf(fixtures)) as { reactionName: string };
    return reference;
  },
  rest: ({ referenceType, referenceId }) => ({
    method: 'GET',
    path: `/api/v3/reactions?referenceType=${String(referenceType).toLowerCase()}&referenceId=${referenceId}`,
  }),
});

const select = 'reaction { reactionName } reference { __typename }';

export const REACTION_CASES: MatrixCase[] = [
  one('on a post in a public community', PLACE_IDS.community),
  one('on a post in a private community', PLACE_IDS.privateCommunity),
  list('on a post in a public community', (fixtures) => toPost(fixtures, PLACE_IDS.community)),
  list('on a post in a private community', (fixtures) => toPost(fixtures, PLACE_IDS.privateCommunity)),
  list('on a message in a public channel', (fixtures) => toMessage(fixtures, PLACE_IDS.channel)),
  list('on a message in a private channel', (fixtures) => toMessage(fixtures, PLACE_IDS.privateChannel)),
  mutationCase('addReaction', 'a post in a public community', {
    select,
    rest: byRest('POST'),
    prepare: (fixtures) => toPost(fixtures, PLACE_IDS.community),
  }),
  mutationCase('addReaction', 'a post in a private community', {
    select,
    rest: byRest('POST'),
    prepare: (fixtures) => toPost(fixtures, PLACE_IDS.privateCommunity),
  }),
  mutationCase('addReaction', 'a message in a public channel', {
    select,
    rest: byRest('POST'),
    prepare: (fixtures) => toMessage(fixtures, PLACE_IDS.channel),
  }),
  mutationCase('addReaction', 'a message in a private channel', {
    select,
    rest: byRest('POST'),
    prepare: (fixtures) => toMessage(fixtures, PLACE_IDS.privateChannel),
  }),
  mutationCase('removeReaction', 'one’s own, on a post in a public community', {
    select,
    rest: byRest('DELETE'),
    async prepare(fixtures, actor) {
      const input = await toPost(fixtures, PLACE_IDS.community);
      const mayReact = !['nobody', 'foreigner', 'banned'].includes(actor);
      if (mayReact) await fixtures.mutate(actor, 'addReaction', input, 'reaction { reactionId }');
      return input;
    },
  }),
];
