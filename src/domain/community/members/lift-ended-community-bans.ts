import { ObjectId } from 'mongodb';
import type { Context } from '../../../context.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { bannedOn } from '../../../store/ended-bans.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { bySystem, endedBans, groupIds, type Lift, MAX_ENDED } from '../../ban/ended.ts';
import { changeMembers } from './change-members.ts';

/** Stores the ends of bans from communities, and from their chats: one transaction for each community. */
export async function liftEndedCommunityBans(context: Context, networkId: string): Promise<Lift[]> {
  const ended = await context.store.collections.communityUsers
    .find({ ...endedBans(context, networkId), isBanned: true }, { projection: { _id: 0, communityId: 1, userId: 1 } })
    .limit(MAX_ENDED)
    .toArray();
  return groupIds(ended, ({ communityId }) => communityId).map(([communityId, userIds]) => ({
    ids: { communityId },
    run: () => lift(context, { networkId, communityId, userIds }),
  }));
}

interface Ended {
  networkId: string;
  communityId: string;
  userIds: string[];
}

async function lift(context: Context, { networkId, communityId, userIds }: Ended): Promise<void> {
  const { communities, communityUsers } = context.store.collections;
  await context.store.transaction(
    async (session) => {
      const filter = { ...endedBans(context, networkId), communityId, userId: { $in: userIds }, isBanned: true };
      const members = await communityUsers.find(filter, { session }).toArray();
      const community = await communities.findOne({ networkId, communityId, isDeleted: false }, { session });
      if (members.length === 0) return;
      if (!community) {
        const unbanned = { communityMembership: 'none', isBanned: false, notMemberReason: 'unbanned' } as const;
        await communityUsers.updateMany(filter, bannedOn(undefined, unbanned), { session });
        return;
      }
      const { changedIds, events } = await changeMembers(context, session, {
        community,
        users: members.map((member) => ({ ...member, _id: ObjectId.createFromHexString(member.userInternalId) })),
        to: 'none',
        reason: 'unbanned',
        event: 'community.userUnbanned',
        shouldChange: () => true,
      });
      const acts = changedIds.map((userId) => ({
        action: 'unbanCommunityMembers',
        subjectType: 'user' as const,
        subjectId: userId,
        affectedUserId: userId,
        communityId,
      }));
      await recordAudit(context, session, acts, bySystem(networkId));
      await appendEvents(context, session, events);
    },
    { key: `community ${networkId} ${communityId}` },
  );
}
