import { getComment } from '../../src/domain/comment/get-comment.ts';
import { visibleReplies } from '../../src/domain/comment/visible-comments.ts';
import type { CommentRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { CommunityUser } from '../community/community-user.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';
import { loadAll, MentioneeType, myReactions, Reactable } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Comment = nodeType<CommentRecord>('Comment', {
  description: 'What a user says about a post or story, or in reply to another comment.',
  id: (comment) => comment.commentId,
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
  description: 'A file that hangs on a comment.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'What the file holds: `image`.' }),
    fileId: t.exposeString('fileId', { description: 'Public id of the file.' }),
  }),
});

builder.objectFields(Comment, (t) => ({
  commentId: t.exposeString('commentId', { description: 'Public id.' }),
  internalId: t.string({ description: 'Internal id, 24 hex digits.', resolve: (comment) => comment._id.toHexString() }),
  path: t.exposeString('path', { description: 'Topic of the comment.' }),
  userId: t.exposeString('userId', { description: 'Public id of the author.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the author.' }),
  parentId: t.exposeString('parentId', { nullable: true, description: 'The comment this one replies to.' }),
  rootId: t.exposeString('rootId', {
    description: 'The top-level comment of the thread; itself for a top-level comment.',
  }),
  referenceId: t.exposeString('referenceId', { description: 'Public id of what it refers to.' }),
  referenceType: t.expose('referenceType', { type: CommentReferenceType, description: 'What it refers to.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user where that stands.' }),
  targetType: t.expose('targetType', { type: CommentTargetType, description: 'Where that stands.' }),
  dataType: t.exposeString('dataType', { description: '`text`, `image` or a custom name.' }),
  dataTypes: t.exposeStringList('dataTypes', { description: 'Everything it holds: `text`, `image`.' }),
  data: t.expose('data', { type: 'JSONObject', description: 'The content: `{text}` for text.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  childrenNumber: t.exposeInt('childrenNumber', { description: 'How many replies it has.' }),
  segmentNumber: t.exposeInt('segmentNumber', {
    description: 'Position among the comments of the reference: 1, 2, 3 …',
  }),
  myReactions: t.stringList({
    description: "Names of the viewer's reactions.",
    resolve: (comment, _, context) => myReactions(context, 'comment', comment.commentId, comment.reactionsCount),
  }),
  childIds: t.exposeStringList('children', { description: 'Ids of the newest replies, oldest first, 10 at most.' }),
  mentionees: t.expose('mentionees', { type: [MentioneeType], description: 'Who is mentioned.' }),
  attachments: t.expose('attachments', { type: [Attachment], description: 'Files that hang on it.' }),
  isDeleted: t.exposeBoolean('isDeleted', {
    description: 'Whether it is deleted; its content is then withheld from all but moderators.',
  }),
  editedAt: t.expose('editedAt', { type: 'DateTime', nullable: true, description: 'When its content last changed.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  author: t.field({
    type: User,
    nullable: true,
    description: 'Who wrote it.',
    resolve: (comment, _, context) => loadUser(context, comment.userId),
  }),
  authorMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: "The author's membership in the community.",
    resolve: (comment, _, { load }) =>
      comment.targetType === 'community' ? load.communityUsers.load([comment.targetId, comment.userId]) : null,
  }),
  mentionedUsers: t.field({
    type: [User],
    description: 'Who is mentioned.',
    resolve: (comment, _, { load }) =>
      loadAll(
        load.users,
        comment.mentionees.flatMap((mention) => mention.userIds),
      ),
  }),
  files: t.field({
    type: [File],
    description: 'The files that hang on it.',
    resolve: (comment, _, { load }) =>
      loadAll(
        load.files,
        comment.attachments.map((attachment) => attachment.fileId),
      ),
  }),
  latestReplies: t.field({
    type: [Comment],
    description: 'The newest replies, oldest first, 10 at most.',
    resolve: (comment, _, context) => visibleReplies(context, comment),
  }),
}));

builder.queryField('comment', (t) =>
  t.field({
    type: Comment,
    nullable: true,
    description: 'One comment by public id.',
    args: { commentId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => getComment(context, args),
  }),
);
