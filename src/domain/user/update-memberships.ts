import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import { continueAfterRequest } from '../../limits/continue-after-request.ts';
import { eachBatch } from '../../store/keyset.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { MAX_BATCH } from '../batch.ts';
import {
  endChannelMemberships,
  renameChannelUser,
  renameChannelUserEverywhere,
} from '../channel/members/memberships-of-user.ts';
import { endMemberships, renameMember, renameMemberEverywhere } from '../community/members/memberships-of-user.ts';
import {
  actorOfDeletion,
  addUnfinishedUser,
  removeUnfinishedUser,
  unfinishedUsers,
} from '../network/unfinished-users.ts';
import { endFollowsOfUser } from './follows/end-follows-of-user.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;
type RenamedUser = UserKey & Pick<UserRecord, 'displayName' | 'isDeleted'>;

interface MembershipChange {
  /** Events for the caller to append. */
  events: NewEvent[];
  /** Whether memberships are left, for {@link finishAfterRequest} after the commit. */
  hasMore: boolean;
}

/**
 * After this time no transaction is left that read a user before a rename or deletion. MongoDB aborts a transaction at most
 * 90 s after it began, with its default `transactionLifetimeLimitSeconds`; the rename or deletion may itself have taken
 * that long to commit, and the clocks of gateways may differ by 2 minutes.
 */
const RECHECK_AFTER_MS = 300_000;

/**
 * What the update that renames or deletes a user also sets. A transaction that read the user before and creates a channel
 * does not conflict with it, and its membership is not seen by {@link updateMemberships}.
 */
export function recheckedLater(context: Pick<Context, 'now'>): Required<Pick<UserRecord, 'recheckMembershipsAt'>> {
  return { recheckMembershipsAt: new Date(context.now().getTime() + RECHECK_AFTER_MS) };
}

/**
 * Copies a user's name to their memberships, and ends these and their follows when the account is deleted: one bounded
 * batch, in the transaction that changes the user. A user with more memberships is noted as unfinished in the same transaction.
 */
export async function updateMemberships(
  context: Context,
  session: ClientSession,
  user: RenamedUser,
): Promise<MembershipChange> {
  const change = await updateBatch(context, session, user);
  if (change.hasMore) await addUnfinishedUser(context, session, user);
  return change;
}

/**
 * Updates the memberships that {@link updateMemberships} left, after the commit. The request has changed the user and
 * succeeds in any case, see {@link continueAfterRequest}, and {@link finishInterruptedUsers} repeats what
 * fails.
 */
export async function finishAfterRequest(context: Context, user: UserKey): Promise<void> {
  return continueAfterRequest(context, finishOrWarn(context, user));
}

/**
 * Finishes renames and deletions that failed requests and ended processes left unfinished, and searches for memberships that
 * concurrent transactions created. A failure for one user does not affect the others.
 * @param signal ends the work after the current batch
 */
export async function finishInterruptedUsers(context: Context, networkId: string, signal?: AbortSignal): Promise<void> {
  for (const user of await unfinishedUsers(context, networkId)) {
    if (!signal?.aborted) await finishOrWarn(context, user, signal);
  }
  const due = { networkId, recheckMembershipsAt: { $gt: new Date(0), $lte: context.now() } };
  const cursor = context.store.collections.users
    .find(due)
    .project<RecheckedUser>({ _id: 0, networkId: 1, userId: 1, recheckMembershipsAt: 1 })
    .batchSize(MAX_BATCH);
  await eachBatch<RecheckedUser>(cursor, async (users) => {
    for (const user of users) {
      if (signal?.aborted) return false;
      await recheckMemberships(context, user, signal);
    }
    return true;
  });
}

type RecheckedUser = UserKey & Required<Pick<UserRecord, 'recheckMembershipsAt'>>;

async function recheckMemberships(context: Context, user: RecheckedUser, signal?: AbortSignal): Promise<void> {
  if (!(await finishOrWarn(context, user, signal))) return;
  // A later rename has a later time.
  await context.store.collections.users.updateOne(user, { $unset: { recheckMembershipsAt: true } });
}

/** @returns whether all memberships are updated */
async function finishOrWarn(context: Context, user: UserKey, signal?: AbortSignal): Promise<boolean> {
  try {
    await finishMemberships(context, user, async () => signal?.throwIfAborted());
    return true;
  } catch (err) {
    if (signal?.aborted) return false;
    context.warn?.(
      { err, userId: user.userId },
      'the memberships of a renamed or deleted user are not all updated; the update continues later',
    );
    return false;
  }
}

/**
 * In transactions of one batch each, which read the user again, so that a later rename or deletion wins. Safe to repeat
 * and to run in several processes: each transaction writes the user, so concurrent ones conflict and start again.
 *
 * @param beforeBatch called before each batch; ends the work if it rejects
 */
export async function finishMemberships(
  context: Context,
  { networkId, userId }: UserKey,
  beforeBatch: () => Promise<void>,
): Promise<void> {
  const key = { networkId, userId };
  const options = { key: `user ${networkId} ${userId}` };
  const user = await context.store.collections.users.findOne(key);
  if (user) {
    const rename = async (work: (session: ClientSession, user: UserRecord) => Promise<void>) => {
      await beforeBatch();
      await context.store.transaction(async (session) => {
        const now = await lockUser(context, session, key);
        if (now) await work(session, now);
      }, options);
    };
    await renameMemberEverywhere(context, user, rename);
    await renameChannelUserEverywhere(context, user, rename);
  }
  for (let hasMore = true; hasMore; ) {
    await beforeBatch();
    hasMore = await context.store.transaction((session) => finishBatch(context, session, key), options);
  }
}

/** Ends one batch of memberships, or removes the note when nothing is left. @returns whether anything is left */
async function finishBatch(context: Context, session: ClientSession, key: UserKey): Promise<boolean> {
  const user = await lockUser(context, session, key);
  const { events, hasMore } = user ? await updateBatch(context, session, user) : { events: [], hasMore: false };
  const actorId = events.length > 0 ? await actorOfDeletion(context, session, key) : null;
  if (!hasMore) await removeUnfinishedUser(context, session, key);
  await appendEvents(context, session, events, actorId === null ? {} : { actorId });
  return hasMore;
}

/** Reads the user, and writes the record, so that a concurrent join or rename conflicts. */
function lockUser(
  context: Context,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<UserRecord | null> {
  const options = { session, returnDocument: 'after' } as const;
  const touched = { $set: { touchedAt: context.now() } };
  return context.store.collections.users.findOneAndUpdate({ networkId, userId }, touched, options);
}

/** Names are compared when no membership is left to end: a search for outdated names reads all memberships. */
async function updateBatch(context: Context, session: ClientSession, user: RenamedUser): Promise<MembershipChange> {
  const ended = user.isDeleted
    ? [
        await endMemberships(context, session, user),
        await endChannelMemberships(context, session, user),
        await endFollowsOfUser(context, session, user),
      ]
    : [];
  const events = ended.flatMap((change) => change.events);
  if (ended.some(({ hasMore }) => hasMore)) return { events, hasMore: true };
  const renamed = [await renameMember(context, session, user), await renameChannelUser(context, session, user)];
  return { events, hasMore: renamed.some(({ hasMore }) => hasMore) };
}
