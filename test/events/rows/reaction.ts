import { reactionSnapshot } from '../../../src/events/reaction-snapshot.ts';
import { CHAT } from '../../support/chat-sample.ts';
import { newComment, newPost, newStory } from './made.ts';
import type { EventRow, Expected, World } from './row.ts';

interface Reacted {
  referenceType: 'POST' | 'COMMENT' | 'STORY' | 'MESSAGE';
  idName: string;
  names: [added: string, removed: string];
  make(world: World): Promise<{ id: string; path: string }>;
}

const REACTED: Reacted[] = [
  {
    referenceType: 'POST',
    idName: 'postId',
    names: ['post.addReaction', 'post.removeReaction'],
    async make(world) {
      const { postId, path } = await newPost(world);
      return { id: postId, path };
    },
  },
  {
    referenceType: 'COMMENT',
    idName: 'commentId',
    names: ['comment.addReaction', 'comment.removeReaction'],
    async make(world) {
      const { commentId, path } = await newComment(world);
      return { id: commentId, path };
    },
  },
  {
    referenceType: 'STORY',
    idName: 'storyId',
    names: ['story.reactionAdded', 'story.reactionRemoved'],
    async make(world) {
      const { storyId, path } = await newStory(world);
      return { id: storyId, path };
    },
  },
  {
    referenceType: 'MESSAGE',
    idName: 'messageId',
    names: ['message.reactionAdded', 'message.reactionRemoved'],
    async make({ gateway }) {
      const messageId = CHAT.message('i-water');
      const { messages } = gateway.services.store.collections;
      const message = await messages.findOne({ networkId: 'default', messageId });
      return { id: messageId, path: message!.path };
    },
  },
];

let reactions = 0;

export const REACTION_ROWS: EventRow[] = REACTED.flatMap(({ referenceType, idName, names, make }): EventRow[] => {
  const [added, removed] = names;
  const noun = referenceType.toLowerCase();

  async function prepared(world: World) {
    const { id, path } = await make(world);
    const input = { referenceType, referenceId: id, reactionName: `row-${++reactions}` };
    const select = 'reaction { reactionId }';
    const react = () => world.make('bob', 'addReaction', input, select);
    /** The event with the reaction as it is stored now. */
    const event = async (type: string): Promise<Expected> => {
      const { referenceId, reactionName } = input;
      const where = { networkId: 'default', referenceType: noun as 'post', referenceId, reactionName };
      const reaction = await world.gateway.services.store.collections.reactions.findOne(where);
      return [type, path, { [idName]: id, reaction: reactionSnapshot(reaction!) }] as unknown as Expected;
    };
    return { input, react, event };
  }

  return [
    {
      operation: 'addReaction',
      situation: `to a ${noun}`,
      async prepare(world) {
        const { input, event } = await prepared(world);
        return { as: 'bob', input, events: async () => [await event(added)] };
      },
    },
    {
      operation: 'addReaction',
      situation: `to a ${noun}, again`,
      async prepare(world) {
        const { input, react } = await prepared(world);
        await react();
        return { as: 'bob', input };
      },
    },
    {
      operation: 'removeReaction',
      situation: `from a ${noun}: its event keeps what it was`,
      async prepare(world) {
        const { input, react, event } = await prepared(world);
        await react();
        return { as: 'bob', input, events: [await event(removed)] };
      },
    },
    {
      operation: 'removeReaction',
      situation: `from a ${noun}, where there is none: fails in the transaction`,
      async prepare(world) {
        const { input } = await prepared(world);
        return { as: 'bob', input, code: 'NOT_FOUND' };
      },
    },
  ];
});
