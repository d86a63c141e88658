import type { Context } from '../../src/context.ts';
import { getChannel } from '../../src/domain/channel/get-channel.ts';
import { getComment } from '../../src/domain/comment/get-comment.ts';
import { getCommunity } from '../../src/domain/community/get-community.ts';
import { listFlags } from '../../src/domain/flag/list-flags.ts';
import type { QueueKind } from '../../src/domain/flag/queue-source.ts';
import { getMessage } from '../../src/domain/message/get-message.ts';
import { type AuthorHistory, authorHistory, MAX_HISTORY } from '../../src/domain/moderation/queue/author-history.ts';
import type { QueuedRecord, QueueItem, QueueState } from '../../src/domain/moderation/queue/queue-item.ts';
import { getPost } from '../../src/domain/post/get-post.ts';
import { getStory } from '../../src/domain/story/get-story.ts';
import type { FlagRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { Comment } from '../comment/comment.ts';
import { Community } from '../community/community.ts';
import { Message } from '../message/message.ts';
import { Post } from '../post/post.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Story } from '../story/story.ts';
import { loadUser, User } from '../user/user.ts';

export const ModerationKind = restEnum<QueueKind>('ModerationKind', 'Kind of record in the moderation queue.', {
  post: 'A post, or a child post.',
  comment: 'A comment or reply.',
  story: 'A story, also an expired one.',
  message: 'A message of a channel.',
  user: 'A user.',
});

export const ModerationState = restEnum<QueueState>('ModerationState', 'Why a record is in the moderation queue.', {
  flagged: 'Users flagged it.',
  awaitingReview: 'A post that is published when a moderator approves it.',
});

const ModerationContent = builder.unionType('ModerationContent', {
  description: 'A record that moderators decide about, or to which such a record belongs.',
  types: [Post, Comment, Story, Message, User],
  resolveType: (record) => {
    if ('messageId' in record) return 'Message';
    if ('storyId' in record) return 'Story';
    if ('commentId' in record) return 'Comment';
    return 'postId' in record ? 'Post' : 'User';
  },
});

const Flag = builder.objectRef<FlagRecord>('Flag').implement({
  description: 'A flag of one user on a record. Visible to moderators of the record.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user who flagged the record.' }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'The user who flagged the record.',
      resolve: ({ userId }, _, context) => loadUser(context, userId),
    }),
    reason: t.field({
      type: FlagReason,
      description: 'Reason.',
      resolve: ({ reason }) => reason as typeof FlagReason.$inferType,
    }),
    detail: t.exposeString('detail', { description: 'Explanation; can be empty.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the user first flagged the record.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the reason was last given.' }),
  }),
});

const AuthorHistoryType = builder.objectRef<AuthorHistory>('AuthorHistory').implement({
  description: `What happened with an author and their content before, each at most ${MAX_HISTORY.toLocaleString('en')}: in the whole network for moderators who ban from it, else in the community or channel of the item, or outside of them for an item that is in neither.`,
  fields: (t) => ({
    removals: t.exposeInt('removals', {
      description: 'Content of the author that others deleted, within the days of the audit log.',
    }),
    flags: t.exposeInt('flags', {
      description: 'Flags on the author and their content, deleted content included and cleared flags excluded.',
    }),
    bans: t.exposeInt('bans', { description: 'Bans of the author, within the days of the audit log.' }),
  }),
});

export const ModerationItem = builder.objectRef<QueueItem>('ModerationItem').implement({
  description: 'A record that is flagged or awaits review, for its moderators.',
});

builder.objectFields(ModerationItem, (t) => ({
  kind: t.expose('kind', { type: ModerationKind, description: 'Kind of the record.' }),
  itemId: t.exposeString('itemId', { description: 'Public id of the record. Unique with the kind.' }),
  states: t.expose('states', { type: [ModerationState], description: 'Why the record is in the queue, at least one.' }),
  content: t.expose('record', { type: ModerationContent, description: 'The record.' }),
  createdAt: t.expose('createdAt', {
    type: 'DateTime',
    description: 'When the record was created; the order of the queue.',
  }),
  flagCount: t.int({ description: 'Number of flags.', resolve: ({ record }) => record.flagCount }),
  flags: t.connection(
    {
      type: Flag,
      description: 'The flags, newest first.',
      resolve: async ({ kind, itemId, record: { flagCount } }, args, context) =>
        toConnection(
          await listFlags(context, { referenceType: kind, referenceId: itemId, flagCount }, pageRequest(args)),
        ),
    },
    connectionType(Flag, 'flags'),
  ),
  authorId: t.exposeString('authorId', { description: 'Public id of the author; of the user for users.' }),
  author: t.field({
    type: User,
    nullable: true,
    description: 'The author of the content; the user for users.',
    resolve: ({ authorId }, _, context) => loadUser(context, authorId),
  }),
  authorHistory: t.field({
    type: AuthorHistoryType,
    description: 'What happened with the author before.',
    resolve: (item, _, context) => authorHistory(context, item),
  }),
  community: t.field({
    type: Community,
    nullable: true,
    description: 'The community of a post, comment or story; null elsewhere.',
    resolve: ({ communityId }, _, context) => (communityId === null ? null : getCommunity(context, { communityId })),
  }),
  channel: t.field({
    type: Channel,
    nullable: true,
    description: 'The channel of a message.',
    resolve: ({ channelId }, _, context) => (channelId === null ? null : getChannel(context, { channelId })),
  }),
  parent: t.field({
    type: ModerationContent,
    nullable: true,
    description:
      'The post or story of a comment, the comment of a reply, the message to which a message replies, or the post of a child post.',
    resolve: ({ record }, _, context) => parentOf(context, record),
  }),
}));

async function parentOf(context: Context, record: QueuedRecord): Promise<QueuedRecord | null> {
  if ('messageId' in record) return record.parentId ? getMessage(context, { messageId: record.parentId }) : null;
  if ('commentId' in record) {
    const { parentId, referenceType, referenceId } = record;
    if (parentId) return getComment(context, { commentId: parentId });
    if (referenceType === 'content') return null;
    return referenceType === 'story'
      ? getStory(context, { storyId: referenceId })
      : getPost(context, { postId: referenceId });
  }
  if ('postId' in record && record.parentPostId) return getPost(context, { postId: record.parentPostId });
  return null;
}
