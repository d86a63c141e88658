import { mayInChannel } from '../../../access/channel.ts';
import { mayInCommunity } from '../../../access/community.ts';
import { MODERATES } from '../../../access/moderation.ts';
import { mayInNetwork } from '../../../access/network.ts';
import type { Permission } from '../../../access/permissions.ts';
import { canClearUserFlags } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { moderatedChannelIds } from '../../channel/members/moderated-channel-ids.ts';
import { moderatedCommunities } from '../../community/members/moderated-communities.ts';
import type { QueueKind, QueuePlace } from '../../flag/queue-source.ts';

/** Content that is in no community: on users' feeds, and comments on content of the application. */
const ELSEWHERE: QueuePlace = { targetType: { $in: ['user', 'content'] } };
const EVERYWHERE: QueuePlace = {};

/** Limits a queue to one place. */
export interface WantedPlace {
  communityId: string | null;
  channelId: string | null;
}

/** The places of one kind of records. */
interface ModeratedPlaces {
  places: QueuePlace[];
  /** Whether the viewer moderates more communities or channels than those. */
  omitsOthers: boolean;
}

/**
 * The places in which the viewer moderates records of a kind: everywhere by a role in the network, else the communities
 * and channels in which they hold such a role, at most 200 of each. Empty for users who moderate none.
 */
export async function moderatedPlaces(
  context: Context,
  kinds: readonly QueueKind[],
  wanted: WantedPlace,
): Promise<{ placesOf: (kind: QueueKind) => QueuePlace[]; omitsOthers: boolean }> {
  const communitiesWith = rememberCommunities(context, kinds);
  const found = await Promise.all(kinds.map((kind) => placesOf(context, kind, wanted, communitiesWith)));
  return {
    placesOf: (kind) => found[kinds.indexOf(kind)]?.places ?? [],
    omitsOthers: found.some(({ omitsOthers }) => omitsOthers),
  };
}

const only = (places: QueuePlace[]): ModeratedPlaces => ({ places, omitsOthers: false });

async function placesOf(
  context: Context,
  kind: QueueKind,
  { communityId, channelId }: WantedPlace,
  communitiesWith: (permission: Permission) => Promise<Communities>,
): Promise<ModeratedPlaces> {
  const viewer = viewerOf(context);
  if (kind === 'user') {
    return only(communityId === null && channelId === null && canClearUserFlags(viewer) ? [EVERYWHERE] : []);
  }
  const { inPlace, elsewhere } = MODERATES[kind];
  if (kind === 'message') {
    if (communityId !== null) return only([]);
    if (channelId !== null) {
      const membership = await context.load.channelUsers.load([channelId, viewer.userId]);
      return only(mayInChannel(viewer, membership, inPlace) ? inChannels([channelId]) : []);
    }
    if (mayInNetwork(viewer, inPlace)) return only([EVERYWHERE]);
    const { channelIds, hasMore } = await moderatedChannelIds(context, await rolesWith(context, [inPlace]));
    return { places: inChannels(channelIds), omitsOthers: hasMore };
  }
  if (channelId !== null) return only([]);
  if (communityId !== null) {
    const membership = await context.load.communityUsers.load([communityId, viewer.userId]);
    return only(mayInCommunity(viewer, membership, inPlace) ? inCommunities([communityId]) : []);
  }
  const moderatesElsewhere = elsewhere !== null && mayInNetwork(viewer, elsewhere);
  if (mayInNetwork(viewer, inPlace)) return only(moderatesElsewhere ? [EVERYWHERE] : [{ targetType: 'community' }]);
  const { communityIds, hasMore } = await communitiesWith(inPlace);
  const places = [...inCommunities(communityIds), ...(moderatesElsewhere ? [ELSEWHERE] : [])];
  return { places, omitsOthers: hasMore };
}

const inCommunities = (ids: string[]): QueuePlace[] =>
  ids.length > 0 ? [{ targetType: 'community', targetId: { $in: ids } }] : [];
const inChannels = (ids: string[]): QueuePlace[] => (ids.length > 0 ? [{ channelId: { $in: ids } }] : []);

interface Communities {
  communityIds: string[];
  hasMore: boolean;
}

/** Reads the communities for all kinds of a queue together. */
function rememberCommunities(context: Context, kinds: readonly QueueKind[]) {
  const permissions = kinds.flatMap((kind) => (kind === 'user' || kind === 'message' ? [] : MODERATES[kind].inPlace));
  let reading: Promise<(permission: Permission) => Communities> | undefined;
  return async (permission: Permission): Promise<Communities> => {
    reading ??= readCommunities(context, permissions);
    return (await reading)(permission);
  };
}

async function readCommunities(context: Context, permissions: Permission[]) {
  const anyRole = await rolesWith(context, permissions);
  const nowhere = { memberships: [], hasMore: false };
  const { memberships, hasMore } = anyRole.length > 0 ? await moderatedCommunities(context, anyRole) : nowhere;
  const roles = await context.store.roleCache.rolesOf(viewerOf(context).networkId);
  return (permission: Permission): Communities => ({
    communityIds: memberships
      .filter((membership) => membership.roles.some((id) => roles.get(id)?.permissions.includes(permission)))
      .map(({ communityId }) => communityId),
    hasMore,
  });
}

/** Ids of the roles that grant at least one of the permissions. */
async function rolesWith(context: Context, permissions: readonly Permission[]): Promise<string[]> {
  const roles = await context.store.roleCache.rolesOf(viewerOf(context).networkId);
  return [...roles.values()]
    .filter((role) => permissions.some((permission) => role.permissions.includes(permission)))
    .map(({ roleId }) => roleId);
}
