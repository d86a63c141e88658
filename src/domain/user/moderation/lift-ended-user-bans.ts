import type { Context } from '../../../context.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { bannedOn } from '../../../store/ended-bans.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { bySystem, endedBans, type Lift, MAX_ENDED } from '../../ban/ended.ts';
import { userEvent } from '../user-events.ts';

/** Stores the ends of bans from the network: each in a transaction with its event and its entry of the audit log. */
export async function liftEndedUserBans(context: Context, networkId: string): Promise<Lift[]> {
  const ended = await context.store.collections.users
    .find({ ...endedBans(context, networkId), isGlobalBan: true }, { projection: { _id: 0, userId: 1 } })
    .limit(MAX_ENDED)
    .toArray();
  return ended.map(({ userId }) => ({
    ids: { userId },
    run: () => lift(context, networkId, userId),
  }));
}

async function lift(context: Context, networkId: string, userId: string): Promise<void> {
  await context.store.transaction(
    async (session) => {
      const user = await context.store.collections.users.findOneAndUpdate(
        { ...endedBans(context, networkId), userId, isGlobalBan: true },
        bannedOn(undefined, { isGlobalBan: false, updatedAt: context.now() }),
        { session, returnDocument: 'before' },
      );
      if (!user || user.isDeleted) return;
      const act = { action: 'unbanUser', subjectType: 'user', subjectId: userId, affectedUserId: userId } as const;
      await recordAudit(context, session, [act], bySystem(networkId));
      await appendEvents(context, session, [userEvent('user.didGlobalUnban', user)]);
    },
    { key: `user ${networkId} ${userId}` },
  );
}
