import { canSeeCategory } from '../../access/category.ts';
import { canChangeFile } from '../../access/file.ts';
import { canSeeJoinRequest } from '../../access/join-request.ts';
import { canSeeRole } from '../../access/role.ts';
import { canSeeUser } from '../../access/user.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { CommunityUserRecord } from '../../store/records/community.ts';
import type { Scene, Stage } from '../scene.ts';

export async function userScene({ load, isRemoval }: Stage, { userId }: PayloadOf<'user'>): Promise<Scene | null> {
  const user = await load.users.load(userId);
  if (!user) return null;
  const seen = isRemoval ? { ...user, isDeleted: false } : user;
  return { place: null, sees: (viewer) => canSeeUser(viewer, seen), author: null, payload: () => ({ user }) };
}

export async function joinRequestScene(
  { load }: Stage,
  { joinRequestId }: PayloadOf<'joinRequest'>,
): Promise<Scene | null> {
  const joinRequest = await load.joinRequests.load(joinRequestId);
  if (!joinRequest) return null;
  return {
    place: { type: 'community', id: joinRequest.targetId },
    sees: (viewer, membership) => canSeeJoinRequest(viewer, joinRequest, membership as CommunityUserRecord | null),
    author: null,
    payload: () => ({ joinRequest }),
  };
}

export async function roleScene({ load, isRemoval }: Stage, { roleId }: PayloadOf<'role'>): Promise<Scene | null> {
  const role = await load.roles.load(roleId);
  if (!role) return null;
  const seen = isRemoval ? { ...role, isDeleted: false } : role;
  return { place: null, sees: (viewer) => canSeeRole(viewer, seen), author: null, payload: () => ({ role }) };
}

export async function categoryScene(
  { load, services, event, isRemoval }: Stage,
  { categoryId }: PayloadOf<'category'>,
): Promise<Scene | null> {
  // Categories are read from memory for a while, and this one has just changed.
  services.store.batchers.categories.forget(event.networkId, categoryId);
  const category = await load.categories.load(categoryId);
  if (!category) return null;
  const seen = isRemoval ? { ...category, isDeleted: false } : category;
  return { place: null, sees: (viewer) => canSeeCategory(viewer, seen), author: null, payload: () => ({ category }) };
}

/** Until something shows it, a file is its owner's: what shows it has events of its own. */
export async function fileScene({ services, event }: Stage, { fileId }: PayloadOf<'file'>): Promise<Scene | null> {
  const file = await services.store.collections.files.findOne({ networkId: event.networkId, fileId });
  if (!file) return null;
  return { place: null, sees: (viewer) => canChangeFile(viewer, file), author: null, payload: () => ({ file }) };
}
