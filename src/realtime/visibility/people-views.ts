import { canSeeCategory } from '../../access/category.ts';
import { canChangeFile } from '../../access/file.ts';
import { canSeeFollowEvent } from '../../access/follow.ts';
import { canSeeJoinRequest } from '../../access/join-request.ts';
import { canSeeRole } from '../../access/role.ts';
import { canSeeUser } from '../../access/user.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { CommunityUserRecord } from '../../store/records/community.ts';
import type { EventView, ViewContext } from './event-view.ts';

export async function loadUserView(
  { load, isRemoval }: ViewContext,
  { userId }: PayloadOf<'user'>,
): Promise<EventView | null> {
  const user = await load.users.load(userId);
  if (!user) return null;
  const seen = isRemoval ? { ...user, isDeleted: false } : user;
  return { scope: null, isVisible: (viewer) => canSeeUser(viewer, seen), authorId: null, payload: () => ({ user }) };
}

/** The follow as it was after the change, with the current records of its users. */
export async function loadFollowView(
  { load, event }: ViewContext,
  { userId, followedUserId, status, followedAt }: PayloadOf<'follow'>,
): Promise<EventView | null> {
  const [follower, followed] = await Promise.all([load.users.load(userId), load.users.load(followedUserId)]);
  if (!follower || !followed) return null;
  const follow = {
    fromUserId: userId,
    toUserId: followedUserId,
    status,
    createdAt: followedAt,
    updatedAt: event.createdAt,
  };
  return {
    scope: null,
    isVisible: (viewer) => canSeeFollowEvent(viewer, follow),
    authorId: null,
    payload: () => ({ follow }),
  };
}

export async function loadJoinRequestView(
  { load }: ViewContext,
  { joinRequestId }: PayloadOf<'joinRequest'>,
): Promise<EventView | null> {
  const joinRequest = await load.joinRequests.load(joinRequestId);
  if (!joinRequest) return null;
  return {
    scope: { type: 'community', id: joinRequest.targetId },
    isVisible: (viewer, membership) => canSeeJoinRequest(viewer, joinRequest, membership as CommunityUserRecord | null),
    authorId: null,
    payload: () => ({ joinRequest }),
  };
}

export async function loadRoleView(
  { load, isRemoval }: ViewContext,
  { roleId }: PayloadOf<'role'>,
): Promise<EventView | null> {
  const role = await load.roles.load(roleId);
  if (!role) return null;
  const seen = isRemoval ? { ...role, isDeleted: false } : role;
  return { scope: null, isVisible: (viewer) => canSeeRole(viewer, seen), authorId: null, payload: () => ({ role }) };
}

export async function loadCategoryView(
  { load, services, event, isRemoval }: ViewContext,
  { categoryId }: PayloadOf<'category'>,
): Promise<EventView | null> {
  // Categories are cached, and this one has just changed.
  services.store.batchers.categories.invalidate(event.networkId, categoryId);
  const category = await load.categories.load(categoryId);
  if (!category) return null;
  const seen = isRemoval ? { ...category, isDeleted: false } : category;
  return {
    scope: null,
    isVisible: (viewer) => canSeeCategory(viewer, seen),
    authorId: null,
    payload: () => ({ category }),
  };
}

/** File events go to the owner only; records that show a file have events of their own. */
export async function loadFileView(
  { services, event }: ViewContext,
  { fileId }: PayloadOf<'file'>,
): Promise<EventView | null> {
  const file = await services.store.collections.files.findOne({ networkId: event.networkId, fileId });
  if (!file) return null;
  return { scope: null, isVisible: (viewer) => canChangeFile(viewer, file), authorId: null, payload: () => ({ file }) };
}
