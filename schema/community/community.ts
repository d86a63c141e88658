import { isMember } from '../../src/access/community.ts';
import { viewerOf } from '../../src/context.ts';
import { feedOfCommunity } from '../../src/domain/community/feeds/get-feed.ts';
import { getCommunity } from '../../src/domain/community/get-community.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Category } from '../category/category.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';
import { loadAll } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';
import { CommunityUser } from './community-user.ts';
import { Feed } from './feed.ts';

export const Community = nodeType<CommunityRecord>('Community', {
  description: 'A group of users with its own posts, roles and stories.',
  id: (community) => community.communityId,
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
    description: 'Internal id, 24 hex digits.',
    resolve: (community) => community._id.toHexString(),
  }),
  channelId: t.exposeString('channelId', { description: "Public id of the community's chat channel." }),
  displayName: t.exposeString('displayName', { description: 'Name to show.' }),
  path: t.exposeString('path', { description: 'Topic of the community.' }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  avatarFileId: t.exposeString('avatarFileId', { nullable: true, description: 'File id of the picture.' }),
  description: t.exposeString('description', { description: 'What the community is about.' }),
  isOfficial: t.exposeBoolean('isOfficial', { description: "Whether the network's owner runs it." }),
  isPublic: t.exposeBoolean('isPublic', { description: 'Whether everybody may see what is inside.' }),
  onlyAdminCanPost: t.exposeBoolean('onlyAdminCanPost', { description: 'Whether only moderators may post.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the community is deleted.' }),
  isJoined: t.boolean({
    description: 'Whether the viewer is a member.',
    resolve: async (community, _, context) =>
      isMember(await context.load.communityUsers.load([community.communityId, viewerOf(context).userId])),
  }),
  hasFlaggedComment: t.exposeBoolean('hasFlaggedComment', { description: 'Whether a comment inside is flagged.' }),
  hasFlaggedPost: t.exposeBoolean('hasFlaggedPost', { description: 'Whether a post inside is flagged.' }),
  needApprovalOnPostCreation: t.exposeBoolean('needApprovalOnPostCreation', {
    description: 'Whether posts of members wait for review.',
  }),
  allowCommentInStory: t.exposeBoolean('allowCommentInStory', { description: 'Whether stories may be commented on.' }),
  isDiscoverable: t.exposeBoolean('isDiscoverable', {
    description: 'Whether a private community can be found by searching.',
  }),
  requiresJoinApproval: t.exposeBoolean('requiresJoinApproval', {
    description: "Whether joining needs a moderator's approval.",
  }),
  tags: t.exposeStringList('tags', { description: 'Tags.' }),
  categoryIds: t.exposeStringList('categoryIds', { description: 'Public ids of the categories.' }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  postsCount: t.exposeInt('postsCount', { description: 'How many published parent posts it has.' }),
  membersCount: t.exposeInt('membersCount', { description: 'How many members it has.' }),
  moderatorMemberCount: t.exposeInt('moderatorMemberCount', { description: 'How many of them are moderators.' }),
  notificationMode: t.expose('notificationMode', { type: NotificationMode, description: 'Who is told of news.' }),
  type: t.expose('type', { type: CommunityType, description: 'What it is made for.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  avatar: t.field({
    type: File,
    nullable: true,
    description: 'The picture.',
    resolve: (community, _, { load }) => (community.avatarFileId ? load.files.load(community.avatarFileId) : null),
  }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Who made it.',
    resolve: (community, _, context) => loadUser(context, community.userId),
  }),
  linkedCategories: t.field({
    type: [Category],
    description: 'Every category the record names; `categories` pages through them.',
    resolve: (community, _, { load }) => loadAll(load.categories, community.categoryIds),
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
    description: "The viewer's own membership, also a past one or a ban; null when there never was one.",
    resolve: (community, _, context) =>
      context.load.communityUsers.load([community.communityId, viewerOf(context).userId]),
  }),
}));

builder.queryField('community', (t) =>
  t.field({
    type: Community,
    nullable: true,
    description: 'One community by public id.',
    args: { communityId: t.arg.string({ required: true, description: 'Public id.' }) },
    resolve: (_, args, context) => getCommunity(context, args),
  }),
);
