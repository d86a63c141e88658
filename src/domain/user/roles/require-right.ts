import type { ClientSession } from 'mongodb';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import { permissionsFrom } from '../../../store/role-cache.ts';

/** The viewer of a request with the network roles, and the membership, that a transaction sees. */
export interface Rights<Membership> {
  viewer: Viewer;
  /** The membership in the place of the act; null outside of communities and channels. */
  membership: Membership | null;
}

/** A right that a request had when it was authorized. */
export interface Right<Membership> {
  /** The policy function. */
  may: (viewer: Viewer, membership: Membership | null) => boolean;
  /** The membership that was loaded then. */
  membership: Membership | null;
  /** Reads the viewer's membership in the transaction, with the permissions of its roles. */
  read: () => Promise<Membership | null>;
}

/**
 * Checks a right to act on others again in a transaction, because the viewer may have lost it since the request was
 * authorized. Sends one command, for the record that gave the right: the viewer's user or, if their network roles do
 * not give it, their membership. Only a viewer whose network roles were removed meanwhile needs both.
 *
 * Does not write that record, unlike `requireNetworkRight`: two users who take the right from each other concurrently in
 * two processes both succeed, unless both acts write another record, as those on members write their community or channel.
 *
 * @throws {OperationError} BANNED for a viewer who was banned from the place; PERMISSION_DENIED
 */
export async function requireRight<Membership extends { isBanned: boolean }>(
  context: Context,
  session: ClientSession,
  { may, membership, read }: Right<Membership>,
): Promise<Rights<Membership>> {
  let viewer = viewerOf(context);
  if (may(viewer, null)) {
    viewer = await viewerInTransaction(context, session);
    if (may(viewer, null)) return { viewer, membership };
  }
  const current = membership && (await read());
  if (may(viewer, current)) return { viewer, membership: current };
  throw new OperationError(current?.isBanned ? 'BANNED' : 'PERMISSION_DENIED');
}

/** As {@link requireRight}, for a right that only network roles give. @throws {OperationError} PERMISSION_DENIED */
export async function requireRightInNetwork(
  context: Context,
  session: ClientSession,
  may: (viewer: Viewer) => boolean,
): Promise<void> {
  await requireRight(context, session, { may, membership: null, read: async () => null });
}

/** The viewer with the network roles that a transaction sees: none for a user who is banned or deleted. */
export async function viewerInTransaction(context: Context, session: ClientSession): Promise<Viewer> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const { store } = context;
  const user = await store.collections.users.findOne({ networkId, userId, isDeleted: false }, { session });
  const isBanned = user !== null && withoutEndedBan(user, context.hasPassed).isGlobalBan;
  const roles = isBanned ? [] : (user?.roles ?? []);
  const known = await store.roleCache.rolesById(networkId, roles);
  return { ...viewer, roles, permissions: new Set(permissionsFrom(known, roles)) };
}

/** A membership that a transaction read, without an ended ban and with the permissions of its roles. */
export async function currentMembership<Membership extends ChannelUserRecord | CommunityUserRecord>(
  context: Context,
  reading: Promise<Membership | null>,
): Promise<Membership | null> {
  const found = await reading;
  if (!found) return null;
  const roles = await context.store.roleCache.rolesById(viewerOf(context).networkId, found.roles);
  const permissions = permissionsFrom(roles, found.roles);
  return {
    ...(withoutEndedBan<ChannelUserRecord | CommunityUserRecord>(found, context.hasPassed) as Membership),
    permissions,
  };
}
