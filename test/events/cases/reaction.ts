import { expect } from 'vitest';
import { reactionSnapshot } from '../../../src/events/reaction-snapshot.ts';
import { CHAT } from '../../support/chat-sample.ts';
import { createComment, createPost, createRoom, createStory } from './content-fixtures.ts';
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

const STORED_REACTION_CASES: EventCase[] = REACTION_TARGETS.flatMap(
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

/** A live room with the post that shows it. */
async function createShownRoom(context: CaseContext, { hasEnded = false } = {}) {
  const { roomId } = await createRoom(context);
  const post = await createPost(context, { dataType: 'room', data: { text: 'Come in', roomId } }, 'alice');
  await context.mutate('alice', 'startRoom', { roomId }, 'clientMutationId');
  if (hasEnded) await context.mutate('alice', 'stopRoom', { roomId }, 'clientMutationId');
  return {
    post,
    input: { postId: post.postId, roomId, reactions: [{ reactionName: 'clap' }, { reactionName: 'love' }] },
  };
}

const LIVE_REACTION_CASES: EventCase[] = [
  {
    operation: 'addLiveReactions',
    situation: 'to a live room: one event for all',
    async prepare(context) {
      const { post, input } = await createShownRoom(context);
      const { users } = context.gateway.services.store.collections;
      const bob = await users.findOne({ networkId: 'default', userId: 'bob' });
      return {
        as: 'bob',
        input,
        select: 'reactionIds',
        events: ({ reactionIds: [first, second] }) => [
          [
            'liveReaction.created',
            `${post.path}/liveReaction`,
            {
              postId: post.postId,
              userId: 'bob',
              userInternalId: bob!._id.toHexString(),
              reactions: [
                { reactionId: first, reactionName: 'clap', occurredAt: expect.any(Date) },
                { reactionId: second, reactionName: 'love', occurredAt: expect.any(Date) },
              ],
            },
          ],
        ],
      };
    },
  },
  {
    operation: 'addLiveReactions',
    situation: 'to a room that has ended',
    async prepare(context) {
      const { input } = await createShownRoom(context, { hasEnded: true });
      return { as: 'bob', input, code: 'BAD_REQUEST' };
    },
  },
  {
    operation: 'addLiveReactions',
    situation: 'to a room that another post shows',
    async prepare(context) {
      const { input } = await createShownRoom(context);
      const { postId } = await createPost(context);
      return { as: 'bob', input: { ...input, postId }, code: 'NOT_FOUND' };
    },
  },
];

export const REACTION_CASES: EventCase[] = [...STORED_REACTION_CASES, ...LIVE_REACTION_CASES];
