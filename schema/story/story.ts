import { viewerOf } from '../../src/context.ts';
import { visibleComments } from '../../src/domain/comment/visible-comments.ts';
import { filesOfStory } from '../../src/domain/story/files-of-story.ts';
import { getStory } from '../../src/domain/story/get-story.ts';
import type { StoryRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { Comment } from '../comment/comment.ts';
import { Community } from '../community/community.ts';
import { CommunityUser } from '../community/community-user.ts';
import { File } from '../file/file.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord } from '../shared/of-record.ts';
import { loadAll, MentioneeType, myReactions, Reactable, VideoFileIdsType } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Story = nodeType<StoryRecord>('Story', {
  description: 'An image, video or text that expires, in a community or on the profile of a user.',
  id: 'storyId',
  load: (context, storyId) => getStory(context, { storyId }),
  interfaces: [Reactable],
});

export const StoryConnection = connectionType(Story, 'stories');
export const StoryTargetType = restEnum('StoryTargetType', 'Kind of place in which a story is published.', {
  community: 'A community; publishing requires MANAGE_COMMUNITY_STORY.',
  user: 'The profile of the user who publishes it.',
});
export const StoryDataType = restEnum('StoryDataType', 'Kind of content of a story.', {
  text: 'Text without a file.',
  image: 'An image, with optional text.',
  video: 'A video, with optional text and thumbnail.',
});
export const ImageDisplayMode = restEnum('ImageDisplayMode', 'Scaling of a story image to the screen.', {
  fit: 'The whole image is visible; parts of the screen may stay empty. Default.',
  fill: 'The image covers the whole screen; its edges may be cropped.',
});

const StoryData = builder.objectRef<StoryRecord['data']>('StoryData').implement({
  description: 'Content of a story; `dataType` determines which fields are set.',
  fields: (t) => ({
    text: t.string({ nullable: true, description: 'Text.', ...ofRecord, resolve: (data) => data.text ?? null }),
    fileId: t.string({
      nullable: true,
      description: 'File id of the image.',
      ...ofRecord,
      resolve: (data) => data.fileId ?? null,
    }),
    thumbnailFileId: t.string({
      nullable: true,
      description: 'File id of the thumbnail of a video.',
      ...ofRecord,
      resolve: (data) => data.thumbnailFileId ?? null,
    }),
    imageDisplayMode: t.field({
      type: ImageDisplayMode,
      nullable: true,
      description: 'Scaling of the image to the screen.',
      ...ofRecord,
      resolve: (data) => data.imageDisplayMode ?? null,
    }),
    videoFileId: t.field({
      type: VideoFileIdsType,
      nullable: true,
      description: 'File ids of the video by quality.',
      ...ofRecord,
      resolve: (data) => data.videoFileId ?? null,
    }),
  }),
});

const StoryItem = builder.objectRef<StoryRecord['items'][number]>('StoryItem').implement({
  description: 'An overlay item of a story, such as a link.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Kind of item: `hyperlink`.' }),
    data: t.expose('data', { type: 'JSONObject', description: 'Content of the item: `{url, customText}` for a link.' }),
  }),
});

builder.objectFields(Story, (t) => ({
  storyId: t.exposeString('storyId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (story) => story._id.toHexString(),
  }),
  path: t.exposeString('path', { description: 'Path of the story, for subscriptions to its events.' }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  targetType: t.expose('targetType', { type: StoryTargetType, description: 'Kind of place of the story.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user.' }),
  dataType: t.expose('dataType', { type: StoryDataType, description: 'Kind of content.' }),
  data: t.expose('data', { type: StoryData, description: 'Content.' }),
  items: t.expose('items', { type: [StoryItem], description: 'Overlay items.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  commentsCount: t.exposeInt('commentsCount', { description: 'Number of comments and replies.' }),
  commentIds: t.exposeStringList('comments', {
    description: 'Public ids of the newest top-level comments, oldest first, at most 10.',
  }),
  impression: t.exposeInt('impression', { description: 'Number of views.' }),
  reach: t.exposeInt('reach', { description: 'Number of users who viewed it.' }),
  myReactions: t.stringList({
    description: 'Names of the reactions of the viewer.',
    resolve: (story, _, context) => myReactions(context, 'story', story.storyId, story.reactionsCount),
  }),
  mentionees: t.expose('mentionedUsers', { type: [MentioneeType], description: 'Mentions.' }),
  referenceId: t.exposeString('referenceId', {
    nullable: true,
    description: 'Id chosen by the client when it created the story.',
  }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the story is deleted.' }),
  hasFlaggedComment: t.exposeBoolean('hasFlaggedComment', { description: 'Whether a comment on it is flagged.' }),
  expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Expiry time.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Creator.',
    resolve: (story, _, context) => loadUser(context, story.userId),
  }),
  community: t.field({
    type: Community,
    nullable: true,
    description: 'The community of the story; null on a profile.',
    resolve: (story, _, { load }) => (story.targetType === 'community' ? load.communities.load(story.targetId) : null),
  }),
  targetUser: t.field({
    type: User,
    nullable: true,
    description: 'The user on whose profile the story is; null in a community.',
    resolve: (story, _, context) => (story.targetType === 'user' ? loadUser(context, story.targetId) : null),
  }),
  viewerMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: 'Membership of the viewer in the community.',
    resolve: (story, _, context) =>
      story.targetType === 'community'
        ? context.load.communityUsers.load([story.targetId, viewerOf(context).userId])
        : null,
  }),
  mentionedUsers: t.field({
    type: [User],
    description: 'The mentioned users.',
    resolve: (story, _, { load }) =>
      loadAll(
        load.users,
        story.mentionedUsers.flatMap((mention) => mention.userIds),
      ),
  }),
  files: t.field({
    type: [File],
    description: 'The files of the content.',
    resolve: (story, _, { load }) => loadAll(load.files, filesOfStory(story)),
  }),
  latestComments: t.field({
    type: [Comment],
    description: 'The newest top-level comments, oldest first, at most 10.',
    resolve: (story, _, context) => visibleComments(context, story),
  }),
}));

builder.queryField('story', (t) =>
  t.field({
    type: Story,
    nullable: true,
    description: 'A story by its public id.',
    args: { storyId: t.arg.string({ required: true, description: 'Public id of the story.' }) },
    resolve: (_, args, context) => getStory(context, args),
  }),
);
