import { viewerOf } from '../../src/context.ts';
import { visibleComments } from '../../src/domain/comment/visible-comments.ts';
import { feedOfCommunity, feedOfUser } from '../../src/domain/community/feeds/get-feed.ts';
import { filesOfPost } from '../../src/domain/post/content/files-of-post.ts';
import { visibleChildren } from '../../src/domain/post/feeds/visible-children.ts';
import { getPost, seesPost } from '../../src/domain/post/get-post.ts';
import { whenLoaded } from '../../src/lib/maybe-promise.ts';
import type { PostData, PostRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Community } from '../community/community.ts';
import { CommunityUser } from '../community/community-user.ts';
import { Feed, FeedTypeEnum } from '../community/feed.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord, ofRecordIf } from '../shared/of-record.ts';
import { loadAll, MentioneeType, myReactions, Reactable, VideoFileIdsType } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Post = nodeType<PostRecord>('Post', {
  description: 'A post in a community or on the feed of a user.',
  id: 'postId',
  load: (context, postId) => getPost(context, { postId }),
  sees: seesPost,
  interfaces: [Reactable],
});

const PostTargetType = restEnum('PostTargetType', 'Kind of place in which a post is published.', {
  community: 'A community.',
  user: 'The feed of a user.',
  content: 'Content that the application manages itself. No post created through the API has this target.',
});
const PostStructureType = restEnum(
  'PostStructureType',
  'Kind of attachments of a post, derived from its child posts.',
  {
    text: 'No file: text only, or a poll, video stream or room.',
    image: 'Images only.',
    video: 'Videos only.',
    file: 'Downloadable files only.',
    audio: 'Audio files only.',
    clip: 'Clips only.',
    mixed: 'Child posts of more than one kind.',
  },
);

export const ClipDisplayMode = restEnum('ClipDisplayMode', 'How a clip fits its frame.', {
  fill: 'Fills the frame; parts of the clip may be hidden. Default.',
  fit: 'Shows the whole clip within the frame.',
});

const PostDataType = builder.objectRef<PostData>('PostData').implement({
  description: 'Content of a post; `dataType` determines which fields are set.',
  fields: (t) => ({
    title: t.string({ nullable: true, description: 'Title.', ...ofRecord, resolve: (data) => data.title ?? null }),
    text: t.string({ nullable: true, description: 'Text.', ...ofRecord, resolve: (data) => data.text ?? null }),
    fileId: t.string({
      nullable: true,
      description: 'File id of an image, file, audio or clip.',
      ...ofRecord,
      resolve: (data) => data.fileId ?? null,
    }),
    thumbnailFileId: t.string({
      nullable: true,
      description: 'File id of the thumbnail of a video or clip.',
      ...ofRecord,
      resolve: (data) => data.thumbnailFileId ?? null,
    }),
    streamId: t.string({
      nullable: true,
      description: 'Public id of the video stream.',
      ...ofRecord,
      resolve: (data) => data.streamId ?? null,
    }),
    videoFileId: t.field({
      type: VideoFileIdsType,
      nullable: true,
      description: 'File ids of the video by quality.',
      ...ofRecord,
      resolve: (data) => data.videoFileId ?? null,
    }),
    displayMode: t.field({
      type: ClipDisplayMode,
      nullable: true,
      description: 'How a clip fits its frame.',
      ...ofRecord,
      resolve: (data) => data.displayMode ?? null,
    }),
    isMuted: t.boolean({
      nullable: true,
      description: 'Whether a clip plays without sound.',
      ...ofRecord,
      resolve: (data) => data.isMuted ?? null,
    }),
    pollId: t.string({
      nullable: true,
      description: 'Public id of the poll.',
      ...ofRecord,
      resolve: (data) => data.pollId ?? null,
    }),
    roomId: t.string({
      nullable: true,
      description: 'Public id of the room.',
      ...ofRecord,
      resolve: (data) => data.roomId ?? null,
    }),
  }),
});

builder.objectFields(Post, (t) => ({
  postId: t.exposeString('postId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (post) => post._id.toHexString(),
  }),
  path: t.exposeString('path', { description: 'Path of the post, for subscriptions to its events.' }),
  parentPostId: t.exposeString('parentPostId', { nullable: true, description: 'Public id of the parent post.' }),
  postedUserId: t.exposeString('postedUserId', { description: 'Public id of the author.' }),
  postedUserInternalId: t.exposeString('postedUserInternalId', { description: 'Internal id of the author.' }),
  sharedUserId: t.exposeString('sharedUserId', {
    nullable: true,
    description: 'Public id of the author of the shared post.',
  }),
  targetType: t.expose('targetType', { type: PostTargetType, description: 'Kind of place of the record.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user.' }),
  targetInternalId: t.exposeString('targetInternalId', {
    description: 'Internal id of the community or user.',
  }),
  feedId: t.exposeString('feedId', { description: 'Public id of the feed.' }),
  feedType: t.expose('feedType', { type: FeedTypeEnum, description: 'Publication state.' }),
  data: t.expose('data', { type: PostDataType, description: 'Content.' }),
  dataType: t.exposeString('dataType', {
    description:
      'Kind of post: `text`, `image`, `file`, `video`, `audio`, `clip`, `liveStream`, `poll`, `room`, or a custom name that contains a dot.',
  }),
  structureType: t.expose('structureType', {
    type: PostStructureType,
    description: 'Kind of attachments of the post.',
  }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  sharedCount: t.exposeInt('sharedCount', { description: 'Number of posts that share it.' }),
  commentsCount: t.exposeInt('commentsCount', { description: 'Number of comments and replies.' }),
  childrenNumber: t.exposeInt('childrenNumber', { description: 'Number of child posts.' }),
  impression: t.exposeInt('impression', { description: 'Number of views.' }),
  reach: t.exposeInt('reach', { description: 'Number of users who viewed it.' }),
  editedAt: t.expose('editedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the last edit of the content; null if it was never edited.',
  }),
  myReactions: t.stringList({
    description: 'Names of the reactions of the viewer.',
    ...ofRecordIf<PostRecord>(({ reactionsCount }) => reactionsCount === 0),
    resolve: (post, _, context) => myReactions(context, 'post', post.postId, post.reactionsCount),
  }),
  commentIds: t.exposeStringList('comments', {
    description: 'Public ids of the newest top-level comments, oldest first, at most 10.',
  }),
  childIds: t.exposeStringList('children', { description: 'Public ids of the child posts, at most 10.' }),
  tags: t.exposeStringList('tags', { description: 'Tags.' }),
  hashtags: t.exposeStringList('hashtags', { description: 'Hashtags in the text.' }),
  mentionees: t.expose('mentionees', { type: [MentioneeType], description: 'Mentions.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the post is deleted.' }),
  hasFlaggedComment: t.exposeBoolean('hasFlaggedComment', { description: 'Whether a comment on it is flagged.' }),
  hasFlaggedChildren: t.exposeBoolean('hasFlaggedChildren', { description: 'Whether a child post is flagged.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  author: t.field({
    type: User,
    nullable: true,
    description: 'Author.',
    resolve: (post, _, context) => loadUser(context, post.postedUserId),
  }),
  sharedUser: t.field({
    type: User,
    nullable: true,
    description: 'Author of the shared post.',
    resolve: (post, _, context) => loadUser(context, post.sharedUserId),
  }),
  mentionedUsers: t.field({
    type: [User],
    description: 'The mentioned users.',
    resolve: (post, _, { load }) =>
      loadAll(
        load.users,
        post.mentionees.flatMap((mention) => mention.userIds),
      ),
  }),
  community: t.field({
    type: Community,
    nullable: true,
    description: 'The community of the post; null on the feed of a user.',
    resolve: (post, _, { load }) => (post.targetType === 'community' ? load.communities.load(post.targetId) : null),
  }),
  targetUser: t.field({
    type: User,
    nullable: true,
    description: 'The user on whose feed the post is; null in a community.',
    resolve: (post, _, context) => (post.targetType === 'user' ? loadUser(context, post.targetId) : null),
  }),
  authorMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: 'Membership of the author in the community.',
    resolve: (post, _, { load }) =>
      post.targetType === 'community' ? load.communityUsers.load([post.targetId, post.postedUserId]) : null,
  }),
  viewerMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: 'Membership of the viewer in the community.',
    resolve: (post, _, context) =>
      post.targetType === 'community'
        ? context.load.communityUsers.load([post.targetId, viewerOf(context).userId])
        : null,
  }),
  feed: t.field({
    type: Feed,
    nullable: true,
    description: 'The feed of the post.',
    resolve: (post, _, { load }) =>
      post.targetType === 'community'
        ? whenLoaded(load.communities.load(post.targetId), (owner) => owner && feedOfCommunity(owner, post.feedId))
        : whenLoaded(load.users.load(post.targetId), (owner) => owner && feedOfUser(owner, post.feedId)),
  }),
  files: t.field({
    type: [File],
    description: 'The files of the content.',
    ...ofRecordIf<PostRecord>((post) => filesOfPost(post).length === 0),
    resolve: (post, _, { load }) => loadAll(load.files, filesOfPost(post)),
  }),
  childPosts: t.field({
    type: [Post],
    description: 'Child posts, at most 10.',
    ...ofRecordIf<PostRecord>(({ children }) => children.length === 0),
    resolve: (post, _, context) => visibleChildren(context, post),
  }),
  latestComments: t.field({
    type: [Comment],
    description: 'The newest top-level comments, oldest first, at most 10.',
    ...ofRecordIf<PostRecord>(({ comments }) => comments.length === 0),
    resolve: (post, _, context) => visibleComments(context, post),
  }),
}));

builder.queryField('post', (t) =>
  t.field({
    type: Post,
    nullable: true,
    description: 'A post by its public id.',
    args: { postId: t.arg.string({ required: true, description: 'Public id of the post.' }) },
    resolve: (_, args, context) => getPost(context, args),
  }),
);
