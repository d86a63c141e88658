import type { Mentionee } from '../../src/store/records/base.ts';
import type { CategoryRecord, CommunityRecord, CommunityUserRecord } from '../../src/store/records/community.ts';
import type { CommentRecord, PostRecord, ReactionRecord } from '../../src/store/records/content.ts';
import type { FileRecord } from '../../src/store/records/media.ts';
import type { UserRecord } from '../../src/store/records/user.ts';

/** Records in the form of the REST interface, field by field. */

const mentioneeShape = ({ type, userIds, userInternalIds }: Mentionee) => ({
  type,
  userIds,
  userPublicIds: userIds,
  userInternalIds,
});

/** Names of the viewer's own reactions to one record. */
const namesOf = (mine: readonly ReactionRecord[], referenceId: string) =>
  mine.filter((reaction) => reaction.referenceId === referenceId).map((reaction) => reaction.reactionName);

export function postShape(post: PostRecord, mine: readonly ReactionRecord[]) {
  const { data } = post;
  return {
    postId: post.postId,
    _id: post._id,
    path: post.path,
    parentPostId: post.parentPostId,
    postedUserId: post.postedUserId,
    postedUserPublicId: post.postedUserId,
    postedUserInternalId: post.postedUserInternalId,
    sharedUserId: post.sharedUserId,
    targetId: post.targetId,
    targetPublicId: post.targetId,
    targetInternalId: post.targetInternalId,
    targetType: post.targetType,
    feedId: post.feedId,
    feedType: post.feedType,
    data: {
      title: data.title ?? null,
      text: data.text ?? null,
      fileId: data.fileId ?? null,
      thumbnailFileId: data.thumbnailFileId ?? null,
      streamId: data.streamId ?? null,
      pollId: data.pollId ?? null,
      roomId: data.roomId ?? null,
      displayMode: data.displayMode ?? null,
      isMuted: data.isMuted ?? null,
      videoFileId: data.videoFileId ?? null,
    },
    dataType: post.dataType,
    structureType: post.structureType,
    metadata: post.metadata,
    flagCount: post.flagCount,
    sharedCount: post.sharedCount,
    reactionsCount: post.reactionsCount,
    commentsCount: post.commentsCount,
    childrenNumber: post.childrenNumber,
    impression: post.impression,
    reach: post.reach,
    hashFlag: post.hashFlag,
    editedAt: post.editedAt,
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    reactions: post.reactions,
    myReactions: namesOf(mine, post.postId),
    comments: post.comments,
    children: post.children,
    tags: post.tags,
    hashtags: post.hashtags,
    mentionees: post.mentionees.map(mentioneeShape),
    isDeleted: post.isDeleted,
    hasFlaggedComment: post.hasFlaggedComment,
    hasFlaggedChildren: post.hasFlaggedChildren,
  };
}

export function commentShape(comment: CommentRecord, mine: readonly ReactionRecord[]) {
  return {
    commentId: comment.commentId,
    _id: comment._id,
    path: comment.path,
    userId: comment.userId,
    userPublicId: comment.userId,
    userInternalId: comment.userInternalId,
    // Left out of comments on the post itself.
    parentId: comment.parentId ?? undefined,
    rootId: comment.rootId,
    referenceId: comment.referenceId,
    referenceType: comment.referenceType,
    dataType: comment.dataType,
    dataTypes: comment.dataTypes,
    targetId: comment.targetId,
    targetType: comment.targetType,
    data: comment.data,
    metadata: comment.metadata,
    childrenNumber: comment.childrenNumber,
    flagCount: comment.flagCount,
    reactionsCount: comment.reactionsCount,
    segmentNumber: comment.segmentNumber,
    hashFlag: comment.hashFlag,
    reactions: comment.reactions,
    myReactions: namesOf(mine, comment.commentId),
    children: comment.children,
    isDeleted: comment.isDeleted,
    editedAt: comment.editedAt,
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    mentionees: comment.mentionees.map(mentioneeShape),
    attachments: comment.attachments,
  };
}

export function userShape(user: UserRecord) {
  return {
    userId: user.userId,
    _id: user._id,
    path: user.path,
    userInternalId: user._id,
    userPublicId: user.userId,
    createdAt: user.createdAt,
    updatedAt: user.updatedAt,
    roles: user.roles,
    permissions: user.permissions,
    displayName: user.displayName,
    profileHandle: user.profileHandle,
    description: user.description,
    avatarFileId: user.avatarFileId,
    avatarCustomUrl: user.avatarCustomUrl,
    flagCount: user.flagCount,
    hashFlag: user.hashFlag,
    metadata: user.metadata,
    isGlobalBan: user.isGlobalBan,
    isBrand: user.isBrand,
    isDeleted: user.isDeleted,
  };
}

export const urlOfFile = (fileId: string): string => `${process.env.PUBLIC_URL}/files/${fileId}`;

export function fileShape({ fileId, altText, type, accessType, createdAt, updatedAt, attributes }: FileRecord) {
  const fileUrl = urlOfFile(fileId);
  return { fileId, fileUrl, altText, type, accessType, createdAt, updatedAt, attributes };
}

export function communityShape(community: CommunityRecord, membership: CommunityUserRecord | null) {
  return {
    communityId: community.communityId,
    channelId: community.channelId,
    displayName: community.displayName,
    _id: community._id,
    path: community.path,
    userId: community.userId,
    userPublicId: community.userId,
    userInternalId: community.userInternalId,
    avatarFileId: community.avatarFileId,
    description: community.description,
    isOfficial: community.isOfficial,
    isPublic: community.isPublic,
    onlyAdminCanPost: community.onlyAdminCanPost,
    isJoined: membership?.communityMembership === 'member',
    isDeleted: community.isDeleted,
    hasFlaggedComment: community.hasFlaggedComment,
    hasFlaggedPost: community.hasFlaggedPost,
    needApprovalOnPostCreation: community.needApprovalOnPostCreation,
    allowCommentInStory: community.allowCommentInStory,
    isDiscoverable: community.isDiscoverable,
    requiresJoinApproval: community.requiresJoinApproval,
    tags: community.tags,
    categoryIds: community.categoryIds,
    metadata: community.metadata,
    postsCount: community.postsCount,
    membersCount: community.membersCount,
    moderatorMemberCount: community.moderatorMemberCount,
    notificationMode: community.notificationMode,
    type: community.type,
    createdAt: community.createdAt,
    updatedAt: community.updatedAt,
  };
}

export function communityUserShape(member: CommunityUserRecord) {
  return {
    userId: member.userId,
    userPublicId: member.userId,
    userInternalId: member.userInternalId,
    channelId: member.channelId,
    communityId: member.communityId,
    communityMembership: member.communityMembership,
    notMemberReason: member.notMemberReason,
    isBanned: member.isBanned,
    lastActivity: member.lastActivity,
    lastJoin: member.lastJoin,
    roles: member.roles,
    permissions: member.permissions,
    createdAt: member.createdAt,
    updatedAt: member.updatedAt,
  };
}

export function categoryShape({
  categoryId,
  name,
  avatarFileId,
  metadata,
  isDeleted,
  createdAt,
  updatedAt,
}: CategoryRecord) {
  return { categoryId, name, avatarFileId, metadata, isDeleted, createdAt, updatedAt };
}
