import type { z } from 'zod';
import {
  acceptsJoinRequests,
  canSeeCommunity,
  isBannedFrom,
  isMember,
  isOpenToJoin,
  OPEN_TO_JOIN,
} from '../../../access/community.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { CommunityRecord, CommunityUserRecord, JoinRequestRecord } from '../../../store/records/community.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireUsers } from '../../user/lookup/require-users.ts';
import { communityIdInput } from '../community-fields.ts';
import { requestToJoin } from '../join-requests/request-to-join.ts';
import { changeMembers, invalidateMembers } from './change-members.ts';

export interface Joined {
  /** Null until a request to join a private community is approved. */
  community: CommunityRecord | null;
  /** The viewer's membership; null while a request is pending. */
  member: CommunityUserRecord | null;
  /** The pending request; null for members. */
  joinRequest: JoinRequestRecord | null;
}

/**
 * Joins a public community. If joining requires approval, or the community is private and discoverable, creates a join
 * request instead, and does not return the record of a private community. Leaves members unchanged, and returns an
 * existing pending request.
 *
 * @throws {OperationError} NOT_FOUND when there is no such community or the viewer cannot discover it; BANNED; CONFLICT
 *   when it stopped being open meanwhile
 */
export async function joinCommunity(context: Context, input: z.input<typeof communityIdInput>): Promise<Joined> {
  const viewer = viewerOf(context);
  const { communityId } = validate(communityIdInput, input);
  const [community, membership] = await Promise.all([
    context.load.communities.load(communityId),
    context.load.communityUsers.load([communityId, viewer.userId]),
  ]);
  if (!community || community.isDeleted) throw notFound('Community');
  const isSeen = canSeeCommunity(viewer, community, membership);
  if (!isSeen && !acceptsJoinRequests(community)) throw notFound('Community');
  if (isBannedFrom(membership)) throw new OperationError('BANNED');
  if (isMember(membership)) return { community, member: membership, joinRequest: null };
  if (isOpenToJoin(community)) return join(context, community);
  const joinRequest = await createJoinRequest(context, community);
  return { community: isSeen ? community : null, member: null, joinRequest };
}

async function join(context: Context, community: CommunityRecord): Promise<Joined> {
  const users = await requireUsers(context, [viewerOf(context).userId]);
  const changed = await context.transaction(
    async (session) => {
      const joined = await changeMembers(context, session, {
        community,
        users,
        to: 'member',
        reason: null,
        event: 'community.joined',
        where: OPEN_TO_JOIN,
        shouldChange(membership) {
          if (isBannedFrom(membership)) throw new OperationError('BANNED');
          return !isMember(membership);
        },
      });
      await appendEvents(context, session, joined.events);
      return joined;
    },
    lockFor(context, 'community', community.communityId),
  );
  invalidateMembers(context, changed);
  return { community: changed.community, member: changed.members[0]!, joinRequest: null };
}

async function createJoinRequest(context: Context, community: CommunityRecord): Promise<JoinRequestRecord> {
  const { communityId } = community;
  const joinRequest = await context.transaction(
    async (session) => {
      const { joinRequest, events } = await requestToJoin(context, session, community);
      await appendEvents(context, session, events);
      return joinRequest;
    },
    lockFor(context, 'community', communityId),
  );
  context.load.myJoinRequests.clear([viewerOf(context).userId, communityId]);
  return joinRequest;
}
