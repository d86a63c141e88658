import { getComment } from '../../src/domain/comment/get-comment.ts';
import { visibleReplies } from '../../src/domain/comment/visible-comments.ts';
import type { CommentRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { CommunityUser } from '../community/community-user.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord, ofRecordIf } from '../shared/of-record.ts';
import { loadAll, MentioneeType, myReactions, Reactable } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { CommentContent, contentOf } from './comment-content.ts';

export const Comment = nodeType<CommentRecord>('Comment', {
  description: 'A comment on a post, a story or content of the application, or a reply to a comment.',
  id: 'commentId',
  load: (context, commentId) => getComment(context, { commentId }),
  interfaces: [Reactable],
});

export const CommentReferenceType = restEnum('CommentReferenceType', 'Kind of record that a comment is on.', {
  post: 'A post. Default where the argument is optional.',
  content:
    'Content that the application manages itself, under an id of its choice. Visible to every user of the network.',
  story: 'A story.',
});
const CommentTargetType = restEnum('CommentTargetType', 'Kind of place of the record that a comment is on.', {
  community: 'The post or story is in a community.',
  user: 'The post or story is on the feed or profile of a user.',
  content: 'The comment is on content of the application; `targetId` is the id of that content.',
});

const Attachment = builder.objectRef<CommentRecord['attachments'][number]>('CommentAttachment').implement({
  description: 'A file attached to a comment.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Kind of attachment: `image`.' }),
    fileId: t.exposeString('fileId', { description: 'Public id of the file.' }),
  }),
});

builder.objectFields(Comment, (t) => ({
  commentId: t.exposeString('commentId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (comment) => comment._id.toHexString(),
  }),
  path: t.exposeString('path', { description: 'Path of the comment, for subscriptions to its events.' }),
  userId: t.exposeString('userId', { description: 'Public id of the author.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the author.' }),
  parentId: t.exposeString('parentId', {
    nullable: true,
    description: 'Public id of the comment to which it replies; null for a top-level comment.',
  }),
  rootId: t.exposeString('rootId', {
    description: 'Public id of the top-level comment of the thread; its own id for a top-level comment.',
  }),
  referenceId: t.exposeString('referenceId', { description: 'Public id of the record that the comment is on.' }),
  referenceType: t.expose('referenceType', {
    type: CommentReferenceType,
    description: 'Kind of record that the comment is on.',
  }),
  targetId: t.exposeString('targetId', {
    description: 'Public id of the community or user that the record belongs to.',
  }),
  targetType: t.expose('targetType', {
    type: CommentTargetType,
    description: 'Whether the record belongs to a community or a user.',
  }),
  dataType: t.exposeString('dataType', { description: '`text`, `image` or a custom name.' }),
  dataTypes: t.exposeStringList('dataTypes', { description: 'Kinds of content: `text`, `image`.' }),
  data: t.expose('data', { type: 'JSONObject', description: 'Content: `{text}` for text.' }),
  content: t.field({
    type: CommentContent,
    nullable: true,
    description: 'Typed form of `data` and `attachments`; null for a deleted comment, except for moderators.',
    resolve: contentOf,
  }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  childrenNumber: t.exposeInt('childrenNumber', { description: 'Number of replies.' }),
  segmentNumber: t.exposeInt('segmentNumber', {
    description: 'Sequence number among the comments on the record: 1, 2, 3 …',
  }),
  myReactions: t.stringList({
    description: 'Names of the reactions of the viewer.',
    ...ofRecordIf<CommentRecord>(({ reactionsCount }) => reactionsCount === 0),
    resolve: (comment, _, context) => myReactions(context, 'comment', comment.commentId, comment.reactionsCount),
  }),
  childIds: t.exposeStringList('children', {
    description: 'Public ids of the newest replies, oldest first, at most 10.',
  }),
  mentionees: t.expose('mentionees', { type: [MentioneeType], description: 'Mentions.' }),
  attachments: t.expose('attachments', { type: [Attachment], description: 'Attachments.' }),
  isDeleted: t.exposeBoolean('isDeleted', {
    description: 'Whether it is deleted. The content of a deleted record is visible to moderators only.',
  }),
  editedAt: t.expose('editedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the last edit of the content; null if it was never edited.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  author: t.field({
    type: User,
    nullable: true,
    description: 'Author.',
    resolve: (comment, _, context) => loadUser(context, comment.userId),
  }),
  authorMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: 'Membership of the author in the community.',
    resolve: (comment, _, { load }) =>
      comment.targetType === 'community' ? load.communityUsers.load([comment.targetId, comment.userId]) : null,
  }),
  mentionedUsers: t.field({
    type: [User],
    description: 'The mentioned users.',
    resolve: (comment, _, { load }) =>
      loadAll(
        load.users,
        comment.mentionees.flatMap((mention) => mention.userIds),
      ),
  }),
  files: t.field({
    type: [File],
    description: 'The attached files.',
    ...ofRecordIf<CommentRecord>(({ attachments }) => attachments.length === 0),
    resolve: (comment, _, { load }) =>
      loadAll(
        load.files,
        comment.attachments.map((attachment) => attachment.fileId),
      ),
  }),
  latestReplies: t.field({
    type: [Comment],
    description: 'The newest replies, oldest first, at most 10.',
    ...ofRecordIf<CommentRecord>(({ children }) => children.length === 0),
    resolve: (comment, _, context) => visibleReplies(context, comment),
  }),
}));

builder.queryField('comment', (t) =>
  t.field({
    type: Comment,
    nullable: true,
    description: 'A comment by its public id.',
    args: { commentId: t.arg.string({ required: true, description: 'Public id of the comment.' }) },
    resolve: (_, args, context) => getComment(context, args),
  }),
);
