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
import { loadAll, MentioneeType, myReactions, Reactable, VideoFileIdsType } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const Story = nodeType<StoryRecord>('Story', {
  description: 'A picture, video or text that a user shows for a while, in a community or on their own profile.',
  id: (story) => story.storyId,
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
  description: 'The content of a story; which fields it has follows from `dataType`.',
  fields: (t) => ({
    text: t.string({ nullable: true, description: 'Text.', resolve: (data) => data.text ?? null }),
    fileId: t.string({
      nullable: true,
      description: 'File id of the picture.',
      resolve: (data) => data.fileId ?? null,
    }),
    thumbnailFileId: t.string({
      nullable: true,
      description: 'File id of the still of a video.',
      resolve: (data) => data.thumbnailFileId ?? null,
    }),
    imageDisplayMode: t.field({
      type: ImageDisplayMode,
      nullable: true,
      description: 'How the picture fills the screen.',
      resolve: (data) => data.imageDisplayMode ?? null,
    }),
    videoFileId: t.field({
      type: VideoFileIdsType,
      nullable: true,
      description: 'File ids of the video.',
      resolve: (data) => data.videoFileId ?? null,
    }),
  }),
});

const StoryItem = builder.objectRef<StoryRecord['items'][number]>('StoryItem').implement({
  description: 'Something laid over a story, such as a link.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Kind of item: `hyperlink`.' }),
    data: t.expose('data', { type: 'JSONObject', description: 'The item: `{url, customText}` for a link.' }),
  }),
});

builder.objectFields(Story, (t) => ({
  storyId: t.exposeString('storyId', { description: 'Public id.' }),
  internalId: t.string({ description: 'Internal id, 24 hex digits.', resolve: (story) => story._id.toHexString() }),
  path: t.exposeString('path', { description: 'Topic of the story.' }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  targetType: t.expose('targetType', { type: StoryTargetType, description: 'Where it is shown.' }),
  targetId: t.exposeString('targetId', { description: 'Public id of the community or user.' }),
  dataType: t.expose('dataType', { type: StoryDataType, description: 'What it shows.' }),
  data: t.expose('data', { type: StoryData, description: 'The content.' }),
  items: t.expose('items', { type: [StoryItem], description: 'What is laid over it.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  commentsCount: t.exposeInt('commentsCount', { description: 'How many comments and replies it has.' }),
  commentIds: t.exposeStringList('comments', {
    description: 'Ids of the newest top-level comments, oldest first, 10 at most.',
  }),
  impression: t.exposeInt('impression', { description: 'How often it was shown.' }),
  reach: t.exposeInt('reach', { description: 'To how many users it was shown.' }),
  myReactions: t.stringList({
    description: "Names of the viewer's reactions.",
    resolve: (story, _, context) => myReactions(context, 'story', story.storyId, story.reactionsCount),
  }),
  mentionees: t.expose('mentionedUsers', { type: [MentioneeType], description: 'Who is mentioned.' }),
  referenceId: t.exposeString('referenceId', { nullable: true, description: 'Client-made id of the upload.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the story is deleted.' }),
  hasFlaggedComment: t.exposeBoolean('hasFlaggedComment', { description: 'Whether a comment on it is flagged.' }),
  expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it is shown.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Who made it.',
    resolve: (story, _, context) => loadUser(context, story.userId),
  }),
  community: t.field({
    type: Community,
    nullable: true,
    description: 'The community it is shown in.',
    resolve: (story, _, { load }) => (story.targetType === 'community' ? load.communities.load(story.targetId) : null),
  }),
  targetUser: t.field({
    type: User,
    nullable: true,
    description: 'The user on whose profile it is shown.',
    resolve: (story, _, context) => (story.targetType === 'user' ? loadUser(context, story.targetId) : null),
  }),
  viewerMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: "The viewer's membership in the community.",
    resolve: (story, _, context) =>
      story.targetType === 'community'
        ? context.load.communityUsers.load([story.targetId, viewerOf(context).userId])
        : null,
  }),
  mentionedUsers: t.field({
    type: [User],
    description: 'Who is mentioned.',
    resolve: (story, _, { load }) =>
      loadAll(
        load.users,
        story.mentionedUsers.flatMap((mention) => mention.userIds),
      ),
  }),
  files: t.field({
    type: [File],
    description: 'Every file the content names.',
    resolve: (story, _, { load }) => loadAll(load.files, filesOfStory(story)),
  }),
  latestComments: t.field({
    type: [Comment],
    description: 'The newest top-level comments, oldest first, 10 at most.',
    resolve: (story, _, context) => visibleComments(context, story),
  }),
}));

builder.queryField('story', (t) =>
  t.field({
    type: Story,
    nullable: true,
    description: 'One story by public id.',
    args: { storyId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => getStory(context, args),
  }),
);
