import { canSeeCategory } from '../../src/access/category.ts';
import { isMember } from '../../src/access/community.ts';
import { viewerOf } from '../../src/context.ts';
import { feedOfCommunity } from '../../src/domain/community/feeds/get-feed.ts';
import { getCommunity } from '../../src/domain/community/get-community.ts';
import { whenLoaded } from '../../src/lib/maybe-promise.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Category } from '../category/category.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord, ofRecordIf } from '../shared/of-record.ts';
import { loadAll } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { CommunityUser } from './community-user.ts';
import { Feed } from './feed.ts';

export const Community = nodeType<CommunityRecord>('Community', {
  description: 'A group of users with its own feeds, stories, roles and chat.',
  id: 'communityId',
  load: (context, communityId) => getCommunity(context, { communityId }),
});

export const NotificationMode = restEnum(
  'NotificationMode',
  'Notification setting of a community or channel. It is stored for clients; the server does not evaluate it.',
  {
    default: 'Members receive notifications unless they opt out. Default.',
    silent: 'Members receive no notifications.',
    subscribe: 'Only members who opted in receive notifications.',
  },
);
const CommunityType = restEnum(
  'CommunityType',
  'Purpose of a community. It is stored for clients and changes no permission.',
  {
    default: 'Ordinary community. Every community created through the API is of this type.',
    event: 'Community of an event.',
  },
);

builder.objectFields(Community, (t) => ({
  communityId: t.exposeString('communityId', { description: 'Public id.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (community) => community._id.toHexString(),
  }),
  channelId: t.exposeString('channelId', { description: 'Public id of the chat channel of the community.' }),
  displayName: t.exposeString('displayName', { description: 'Display name.' }),
  path: t.exposeString('path', { description: 'Path of the community, for subscriptions to its events.' }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  avatarFileId: t.exposeString('avatarFileId', { nullable: true, description: 'File id of the avatar.' }),
  description: t.exposeString('description', { description: 'Description.' }),
  isOfficial: t.exposeBoolean('isOfficial', { description: 'Whether it is an official community of the network.' }),
  isPublic: t.exposeBoolean('isPublic', {
    description: 'Whether users who are not members can read posts and members.',
  }),
  onlyAdminCanPost: t.exposeBoolean('onlyAdminCanPost', { description: 'Whether only moderators can post.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the community is deleted.' }),
  isJoined: t.boolean({
    description: 'Whether the viewer is a member.',
    resolve: (community, _, context) =>
      whenLoaded(context.load.communityUsers.load([community.communityId, viewerOf(context).userId]), isMember),
  }),
  hasFlaggedComment: t.exposeBoolean('hasFlaggedComment', {
    description: 'Whether a comment in the community is flagged.',
  }),
  hasFlaggedPost: t.exposeBoolean('hasFlaggedPost', { description: 'Whether a post in the community is flagged.' }),
  needApprovalOnPostCreation: t.exposeBoolean('needApprovalOnPostCreation', {
    description: 'Whether posts of members must be approved by a moderator.',
  }),
  allowCommentInStory: t.exposeBoolean('allowCommentInStory', { description: 'Whether users can comment on stories.' }),
  isDiscoverable: t.exposeBoolean('isDiscoverable', {
    description: 'Whether users who are not members can find a private community.',
  }),
  requiresJoinApproval: t.exposeBoolean('requiresJoinApproval', {
    description: 'Whether a moderator must approve new members.',
  }),
  tags: t.exposeStringList('tags', { description: 'Tags.' }),
  categoryIds: t.exposeStringList('categoryIds', { description: 'Public ids of the categories.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  postsCount: t.exposeInt('postsCount', { description: 'Number of published parent posts.' }),
  membersCount: t.exposeInt('membersCount', { description: 'Number of members.' }),
  moderatorMemberCount: t.exposeInt('moderatorMemberCount', { description: 'Number of moderators.' }),
  notificationMode: t.expose('notificationMode', { type: NotificationMode, description: 'Push notification mode.' }),
  type: t.expose('type', { type: CommunityType, description: 'Type of the community.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  avatar: t.field({
    type: File,
    nullable: true,
    description: 'The avatar.',
    ...ofRecordIf<CommunityRecord>(({ avatarFileId }) => !avatarFileId),
    resolve: (community, _, { load }) => (community.avatarFileId ? load.files.load(community.avatarFileId) : null),
  }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Creator.',
    resolve: (community, _, context) => loadUser(context, community.userId),
  }),
  linkedCategories: t.field({
    type: [Category],
    description: 'All categories of the community; `categories` is the paginated list.',
    resolve: ({ categoryIds }, _, context) =>
      whenLoaded(loadAll(context.load.categories, categoryIds), (categories) =>
        // An event whose rendering reads the viewer is rendered for each subscriber.
        categories.filter((category) => !category.isDeleted || canSeeCategory(viewerOf(context), category)),
      ),
  }),
  publishedFeed: t.field({
    type: Feed,
    nullable: true,
    description: 'The feed of published posts.',
    resolve: (community) => {
      const feed = community.feeds.find((candidate) => candidate.feedType === 'published');
      return feed ? feedOfCommunity(community, feed.feedId) : null;
    },
  }),
  viewerMembership: t.field({
    type: CommunityUser,
    nullable: true,
    description: 'Membership of the viewer, including a past one or a ban; null if there never was one.',
    resolve: (community, _, context) =>
      context.load.communityUsers.load([community.communityId, viewerOf(context).userId]),
  }),
}));

builder.queryField('community', (t) =>
  t.field({
    type: Community,
    nullable: true,
    description: 'A community by its public id.',
    args: { communityId: t.arg.string({ required: true, description: 'Public id of the community.' }) },
    resolve: (_, args, context) => getCommunity(context, args),
  }),
);
