import { PUBLIC_FEED } from '../../src/access/follow.ts';
import { canSeePost } from '../../src/access/post.ts';
import type { Services, TokenClaims } from '../../src/context.ts';
import { filesOfPost } from '../../src/domain/post/content/files-of-post.ts';
import { OperationError } from '../../src/errors.ts';
import { only } from './projection.ts';
import {
  categoryShape,
  commentShape,
  communityShape,
  communityUserShape,
  fileShape,
  postShape,
  userShape,
} from './shapes.ts';
import { readViewer } from './sign-in.ts';

/** Posts and comments are read in full, because nearly every field of them is in the response. */
const REACTION = only('referenceId', 'reactionName');
const MEMBER = only(
  ...['userId', 'userInternalId', 'channelId', 'communityId', 'communityMembership', 'notMemberReason', 'isBanned'],
  ...['lastActivity', 'lastJoin', 'roles', 'permissions', 'createdAt', 'updatedAt'],
);
const COMMUNITY = only(
  ...['communityId', 'channelId', 'displayName', 'path', 'userId', 'userInternalId', 'avatarFileId', 'description'],
  ...['isOfficial', 'isPublic', 'onlyAdminCanPost', 'isDeleted', 'hasFlaggedComment', 'hasFlaggedPost', 'metadata'],
  ...['needApprovalOnPostCreation', 'allowCommentInStory', 'isDiscoverable', 'requiresJoinApproval', 'tags'],
  ...['categoryIds', 'postsCount', 'membersCount', 'moderatorMemberCount', 'notificationMode', 'type', 'feeds'],
  ...['createdAt', 'updatedAt'],
);
const USER = only(
  ...['userId', 'path', 'createdAt', 'updatedAt', 'roles', 'permissions', 'displayName', 'profileHandle', 'metadata'],
  ...['description', 'avatarFileId', 'avatarCustomUrl', 'flagCount', 'hashFlag', 'isGlobalBan', 'isBrand', 'isDeleted'],
);
const CATEGORY = only('categoryId', 'name', 'avatarFileId', 'metadata', 'isDeleted', 'createdAt', 'updatedAt');
const FILE = only('fileId', 'altText', 'type', 'accessType', 'createdAt', 'updatedAt', 'attributes');

/**
 * `GET /api/v3/posts/{id}` (docs/interface.md#get-post), hand-written for this path: nine
 * reads, which leave together where one does not depend on another: four round trips.
 */
export async function readPost(services: Services, claims: TokenClaims, postId: string): Promise<object> {
  const { collections } = services.store;
  const { networkId, userId } = claims;
  const [viewer, post] = await Promise.all([
    readViewer(services, claims),
    collections.posts.findOne({ networkId, postId }),
  ]);
  if (!post) throw new OperationError('NOT_FOUND');
  const { targetId: communityId, postedUserId } = post;
  const inCommunity = post.targetType === 'community';
  const [community, members, comments, children, mine] = await Promise.all([
    inCommunity ? collections.communities.findOne({ networkId, communityId }, COMMUNITY) : null,
    inCommunity
      ? collections.communityUsers
          .find({ networkId, communityId, userId: { $in: [userId, postedUserId] } }, MEMBER)
          .toArray()
      : [],
    post.comments.length > 0
      ? collections.comments.find({ networkId, commentId: { $in: post.comments } }).toArray()
      : [],
    post.children.length > 0 ? collections.posts.find({ networkId, postId: { $in: post.children } }).toArray() : [],
    collections.reactions
      .find({ networkId, userId, referenceId: { $in: [postId, ...post.comments, ...post.children] } }, REACTION)
      .toArray(),
  ]);
  const membership = members.find((member) => member.userId === userId) ?? null;
  const place = { community, membership, privacy: inCommunity ? null : PUBLIC_FEED };
  if (!canSeePost(viewer, post, place)) throw new OperationError('NOT_FOUND');

  const posts = [post, ...children.filter((child) => canSeePost(viewer, child, place))];
  const userIds = new Set<string>();
  for (const { postedUserId, sharedUserId, mentionees } of posts) {
    userIds.add(postedUserId);
    if (sharedUserId) userIds.add(sharedUserId);
    for (const mention of mentionees) for (const mentioned of mention.userIds) userIds.add(mentioned);
  }
  for (const comment of comments) {
    userIds.add(comment.userId);
    for (const mention of comment.mentionees) for (const mentioned of mention.userIds) userIds.add(mentioned);
  }
  for (const member of members) userIds.add(member.userId);
  if (community) userIds.add(community.userId);
  else userIds.add(post.targetId);
  const [users, categories] = await Promise.all([
    collections.users.find({ networkId, userId: { $in: [...userIds] } }, USER).toArray(),
    community?.categoryIds.length
      ? collections.categories.find({ networkId, categoryId: { $in: community.categoryIds } }, CATEGORY).toArray()
      : [],
  ]);

  const fileIds = new Set<string>(posts.flatMap(filesOfPost));
  for (const comment of comments) for (const { fileId } of comment.attachments) fileIds.add(fileId);
  for (const { avatarFileId } of [...users, ...categories]) if (avatarFileId) fileIds.add(avatarFileId);
  if (community?.avatarFileId) fileIds.add(community.avatarFileId);
  const files =
    fileIds.size > 0 ? await collections.files.find({ networkId, fileId: { $in: [...fileIds] } }, FILE).toArray() : [];

  const inOrder = new Map(comments.map((comment) => [comment.commentId, comment]));
  const owner = community ?? users.find((user) => user.userId === post.targetId);
  const feed = owner?.feeds.find(({ feedId }) => feedId === post.feedId);
  return {
    posts: [postShape(post, mine)],
    postChildren: posts.slice(1).map((child) => postShape(child, mine)),
    comments: post.comments.flatMap((id) => (inOrder.has(id) ? [commentShape(inOrder.get(id)!, mine)] : [])),
    users: users.map(userShape),
    files: files.map(fileShape),
    communities: community ? [communityShape(community, membership)] : [],
    communityUsers: members.map(communityUserShape),
    categories: categories.map(categoryShape),
    feeds: feed ? [{ targetId: post.targetId, targetType: post.targetType, ...feed }] : [],
    videoStreamings: [],
    videoStreamingChildren: [],
    rooms: [],
    roomChildrens: [],
    polls: [],
  };
}
