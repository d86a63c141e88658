import { reactionSnapshot } from '../../../src/events/reaction-snapshot.ts';
import { CHAT } from '../../support/chat-sample.ts';
import { createComment, createPost, createStory } from './content-fixtures.ts';
import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';

interface ReactionTarget {
  referenceType: 'POST' | 'COMMENT' | 'STORY' | 'MESSAGE';
  idName: string;
  names: [added: string, removed: string];
  create(context: CaseContext): Promise<{ id: string; path: string }>;
}

const REACTION_TARGETS: ReactionTarget[] = [
  {
    referenceType: 'POST',
    idName: 'postId',
    names: ['post.addReaction', 'post.removeReaction'],
    async create(context) {
      const { postId, path } = await createPost(context);
      return { id: postId, path };
    },
  },
  {
    referenceType: 'COMMENT',
    idName: 'commentId',
    names: ['comment.addReaction', 'comment.removeReaction'],
    async create(context) {
      const { commentId, path } = await createComment(context);
      return { id: commentId, path };
    },
  },
  {
    referenceType: 'STORY',
    idName: 'storyId',
    names: ['story.reactionAdded', 'story.reactionRemoved'],
    async create(context) {
      const { storyId, path } = await createStory(context);
      return { id: storyId, path };
    },
  },
  {
    referenceType: 'MESSAGE',
    idName: 'messageId',
    names: ['message.reactionAdded', 'message.reactionRemoved'],
    async create({ gateway }) {
      const messageId = CHAT.message('i-water');
      const { messages } = gateway.services.store.collections;
      const message = await messages.findOne({ networkId: 'default', messageId });
      return { id: messageId, path: message!.path };
    },
  },
];

let reactions = 0;

export const REACTION_CASES: EventCase[] = REACTION_TARGETS.flatMap(
  ({ referenceType, idName, names, create }): EventCase[] => {
    const [added, removed] = names;
    const type = referenceType.toLowerCase();

    async function prepared(context: CaseContext) {
      const { id, path } = await create(context);
      const input = { referenceType, referenceId: id, reactionName: `case-${++reactions}` };
      const select = 'reaction { reactionId }';
      const react = () => context.mutate('bob', 'addReaction', input, select);
      /** The event with a snapshot of the stored reaction. */
      const event = async (name: string): Promise<ExpectedEvent> => {
        const { referenceId, reactionName } = input;
        const where = { networkId: 'default', referenceType: type as 'post', referenceId, reactionName };
        const reaction = await context.gateway.services.store.collections.reactions.findOne(where);
        return [name, path, { [idName]: id, reaction: reactionSnapshot(reaction!) }] as unknown as ExpectedEvent;
      };
      return { input, react, event };
    }

    return [
      {
        operation: 'addReaction',
        situation: `to a ${type}`,
        async prepare(context) {
          const { input, event } = await prepared(context);
          return { as: 'bob', input, events: async () => [await event(added)] };
        },
      },
      {
        operation: 'addReaction',
        situation: `to a ${type}, again`,
        async prepare(context) {
          const { input, react } = await prepared(context);
          await react();
          return { as: 'bob', input };
        },
      },
      {
        operation: 'removeReaction',
        situation: `from a ${type}: the event contains a snapshot of the reaction`,
        async prepare(context) {
          const { input, react, event } = await prepared(context);
          await react();
          return { as: 'bob', input, events: [await event(removed)] };
        },
      },
      {
        operation: 'removeReaction',
        situation: `from a ${type} without one: fails in the transaction`,
        async prepare(context) {
          const { input } = await prepared(context);
          return { as: 'bob', input, code: 'NOT_FOUND' };
        },
      },
    ];
  },
);
