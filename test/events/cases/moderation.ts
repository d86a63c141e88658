import { createComment, createPost, createStory, createWaitingPost } from './content-fixtures.ts';
import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';
import {
  channelUsersEvent,
  communityUsersEvent,
  createChannel,
  createCommunity,
  createUser,
  messageEvent,
  userEvent,
} from './people-fixtures.ts';

/** A decision about one item, and its events. */
interface Decided {
  as?: string;
  kind: 'POST' | 'COMMENT' | 'STORY' | 'MESSAGE' | 'USER';
  itemId: string;
  decision: { action: string; banFrom?: string };
  events: ExpectedEvent[];
}

interface Situation {
  situation: string;
  decide(context: CaseContext): Promise<Decided>;
}

const flag = (context: CaseContext, type: string, input: object, as = 'carol') =>
  context.mutate(as, `flag${type}`, input, 'clientMutationId');
const of = (type: string, path: string, id: object) => [type, path, id] as unknown as ExpectedEvent;

async function flaggedPost(context: CaseContext, fields: object = {}, as = 'bob') {
  const post = await createPost(context, fields, as);
  await flag(context, 'Post', { postId: post.postId }, 'alice');
  return post;
}

async function flaggedMessage(context: CaseContext) {
  const user = await createUser(context);
  const channel = await createChannel(context, { members: [user] });
  const input = { channelId: channel.channelId, data: { text: 'An example' } };
  const { chatMessage: message } = await context.mutate(
    user.userId,
    'sendMessage',
    input,
    'chatMessage { messageId path }',
  );
  await flag(context, 'Message', { messageId: message.messageId }, 'alice');
  return { user, channel, message };
}

const SITUATIONS: Situation[] = [
  {
    situation: 'approves a post that mentions a user',
    async decide(context) {
      const { postId, path } = await createWaitingPost(context, { mentionees: [{ userIds: ['carol'] }] });
      const events = [of('post.approved', path, { postId }), of('mention-post.created', path, { postId })];
      return { as: 'frank', kind: 'POST', itemId: postId, decision: { action: 'APPROVE' }, events };
    },
  },
  {
    situation: 'declines a flagged post, in one transaction',
    async decide(context) {
      const { postId, path } = await createWaitingPost(context);
      await flag(context, 'Post', { postId }, 'frank');
      const events = [of('post.declined', path, { postId }), of('post.flagsCleared', path, { postId })];
      return { as: 'frank', kind: 'POST', itemId: postId, decision: { action: 'DECLINE' }, events };
    },
  },
  {
    situation: 'clears the flags of a comment',
    async decide(context) {
      const { commentId, path } = await createComment(context);
      await flag(context, 'Comment', { commentId });
      const events = [of('comment.flagsCleared', path, { commentId })];
      return { kind: 'COMMENT', itemId: commentId, decision: { action: 'CLEAR_FLAGS' }, events };
    },
  },
  {
    situation: 'keeps a flagged story',
    async decide(context) {
      const { storyId, path } = await createStory(context);
      await flag(context, 'Story', { storyId });
      const events = [of('story.flagsCleared', path, { storyId })];
      return { kind: 'STORY', itemId: storyId, decision: { action: 'APPROVE' }, events };
    },
  },
  {
    situation: 'keeps a flagged message',
    async decide(context) {
      const { message } = await flaggedMessage(context);
      const events = [messageEvent('message.flagCleared', message)];
      return { kind: 'MESSAGE', itemId: message.messageId, decision: { action: 'APPROVE' }, events };
    },
  },
  {
    situation: 'clears the flags of a user',
    async decide(context) {
      const user = await createUser(context);
      await flag(context, 'User', { userId: user.userId });
      const events = [userEvent('user.flagCleared', user)];
      return { as: 'admin', kind: 'USER', itemId: user.userId, decision: { action: 'CLEAR_FLAGS' }, events };
    },
  },
  {
    situation: 'deletes a comment',
    async decide(context) {
      const { commentId, path } = await createComment(context);
      await flag(context, 'Comment', { commentId });
      const events = [of('comment.deleted', path, { commentId })];
      return { kind: 'COMMENT', itemId: commentId, decision: { action: 'DELETE' }, events };
    },
  },
  {
    situation: 'deletes a story',
    async decide(context) {
      const { storyId, path } = await createStory(context);
      await flag(context, 'Story', { storyId });
      const events = [of('story.deleted', path, { storyId })];
      return { as: 'admin', kind: 'STORY', itemId: storyId, decision: { action: 'DELETE' }, events };
    },
  },
  {
    situation: 'bans the author of a message from the channel and deletes it',
    async decide(context) {
      const { user, channel, message } = await flaggedMessage(context);
      const events = [channelUsersEvent('channel.banned', channel, user), messageEvent('message.deleted', message)];
      const decision = { action: 'BAN_AUTHOR', banFrom: 'CHANNEL' };
      return { kind: 'MESSAGE', itemId: message.messageId, decision, events };
    },
  },
  {
    situation: 'bans the author of a post from the community and deletes it',
    async decide(context) {
      const user = await createUser(context);
      const community = await createCommunity(context, { members: [user] });
      const { postId, path } = await flaggedPost(context, { targetId: community.communityId }, user.userId);
      const events = [
        communityUsersEvent('community.userChanged', community, user),
        communityUsersEvent('community.userBanned', community, user),
        channelUsersEvent('channel.banned', community.chat, user),
        of('post.deleted', path, { postId }),
      ];
      return { kind: 'POST', itemId: postId, decision: { action: 'BAN_AUTHOR', banFrom: 'COMMUNITY' }, events };
    },
  },
  {
    situation: 'bans a user from the network and clears the flags',
    async decide(context) {
      const user = await createUser(context);
      await flag(context, 'User', { userId: user.userId });
      const events = [userEvent('user.didGlobalBan', user), userEvent('user.flagCleared', user)];
      return { as: 'admin', kind: 'USER', itemId: user.userId, decision: { action: 'BAN_AUTHOR' }, events };
    },
  },
];

/** Decisions about items of the moderation queue, singly and in bulk. */
export const MODERATION_CASES: EventCase[] = SITUATIONS.flatMap(({ situation, decide }): EventCase[] => [
  {
    operation: 'resolveModerationItem',
    situation,
    async prepare(context) {
      const { as, kind, itemId, decision, events } = await decide(context);
      return { ...(as && { as }), input: { kind, itemId, ...decision }, events };
    },
  },
  {
    operation: 'resolveModerationItems',
    situation: `${situation}; a second item does not exist`,
    async prepare(context) {
      const { as, kind, itemId, decision, events } = await decide(context);
      const items = [
        { kind, itemId },
        { kind, itemId: 'none' },
      ];
      return { ...(as && { as }), input: { items, ...decision }, events };
    },
  },
]);
