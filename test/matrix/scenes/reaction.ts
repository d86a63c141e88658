import { mutationScene, type Scene } from '../scene.ts';
import { STAGE } from '../stage.ts';
import { messageIn, postIn } from '../things.ts';
import type { World } from '../world.ts';

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
const select = 'reaction { reactionName } reference { __typename }';

export const REACTION_SCENES: Scene[] = [
  mutationScene('addReaction', 'a post in a public community', {
    select,
    prepare: (world) => toPost(world, STAGE.community),
  }),
  mutationScene('addReaction', 'a post in a private community', {
    select,
    prepare: (world) => toPost(world, STAGE.privateCommunity),
  }),
  mutationScene('addReaction', 'a message in a public channel', {
    select,
    prepare: (world) => toMessage(world, STAGE.channel),
  }),
  mutationScene('addReaction', 'a message in a private channel', {
    select,
    prepare: (world) => toMessage(world, STAGE.privateChannel),
  }),
  mutationScene('removeReaction', 'one’s own, on a post in a public community', {
    select,
    async prepare(world, actor) {
      const input = await toPost(world, STAGE.community);
      const mayReact = !['nobody', 'foreigner', 'banned'].includes(actor);
      if (mayReact) await world.make(actor, 'addReaction', input, 'reaction { reactionId }');
      return input;
    },
  }),
];
