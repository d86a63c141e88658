import { mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import { messageIn, postIn } from '../things.ts';
import type { RestRequest, Variables, World } from '../world.ts';

const reactionName = 'like';
const toPost = async (world: World, communityId: string) => ({
  referenceType: 'POST',
  referenceId: (await postIn(world, communityId)).postId,
  reactionName,
});
const toMessage = async (world: World, channelId: string) => ({
  referenceType: 'MESSAGE',
  referenceId: (await messageIn(world, channelId)).messageId,
  reactionName,
});
/** REST spells types in lower case. */
const byRest =
  (method: 'POST' | 'DELETE') =>
  ({ input }: Variables): RestRequest => {
    const { referenceType, ...body } = input as Variables;
    return { method, path: '/api/v2/reactions', body: { ...body, referenceType: String(referenceType).toLowerCase() } };
  };

const one = (situation: string, communityId: string): Scene => ({
  operation: 'reaction',
  situation,
  document: 'query ($reactionId: String!) { answer: reaction(reactionId: $reactionId) { reactionName } }',
  async prepare(world) {
    const made = await world.make<{ reaction: { reactionId: string } }>(
      'bystander',
      'addReaction',
      await toPost(world, communityId),
      'reaction { reactionId }',
    );
    return { reactionId: made.reaction.reactionId };
  },
});

const list = (situation: string, targetOf: (world: World) => Promise<object>): Scene => ({
  operation: 'reactions',
  situation,
  document: `query ($referenceType: ReactionReferenceType!, $referenceId: String!) {
    answer: reactions(referenceType: $referenceType, referenceId: $referenceId) { edges { node { reactionName } } }
  }`,
  async prepare(world) {
    const { reactionName: _, ...reference } = (await targetOf(world)) as { reactionName: string };
    return reference;
  },
  rest: ({ referenceType, referenceId }) => ({
    method: 'GET',
    path: `/api/v3/reactions?referenceType=${String(referenceType).toLowerCase()}&referenceId=${referenceId}`,
  }),
});

const select = 'reaction { reactionName } reference { __typename }';

export const REACTION_SCENES: Scene[] = [
  one('on a post in a public community', STAGE.community),
  one('on a post in a private community', STAGE.privateCommunity),
  list('on a post in a public community', (world) => toPost(world, STAGE.community)),
  list('on a post in a private community', (world) => toPost(world, STAGE.privateCommunity)),
  list('on a message in a public channel', (world) => toMessage(world, STAGE.channel)),
  list('on a message in a private channel', (world) => toMessage(world, STAGE.privateChannel)),
  mutationScene('addReaction', 'a post in a public community', {
    select,
    rest: byRest('POST'),
    prepare: (world) => toPost(world, STAGE.community),
  }),
  mutationScene('addReaction', 'a post in a private community', {
    select,
    rest: byRest('POST'),
    prepare: (world) => toPost(world, STAGE.privateCommunity),
  }),
  mutationScene('addReaction', 'a message in a public channel', {
    select,
    rest: byRest('POST'),
    prepare: (world) => toMessage(world, STAGE.channel),
  }),
  mutationScene('addReaction', 'a message in a private channel', {
    select,
    rest: byRest('POST'),
    prepare: (world) => toMessage(world, STAGE.privateChannel),
  }),
  mutationScene('removeReaction', 'one’s own, on a post in a public community', {
    select,
    rest: byRest('DELETE'),
    async prepare(world, actor) {
      const input = await toPost(world, STAGE.community);
      const mayReact = !['nobody', 'foreigner', 'banned'].includes(actor);
      if (mayReact) await world.make(actor, 'addReaction', input, 'reaction { reactionId }');
      return input;
    },
  }),
];
