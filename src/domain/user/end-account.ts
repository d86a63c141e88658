import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { appendEvents } from '../../events/append-events.ts';
import { ANONYMOUS_PROFILE } from '../../store/records/anonymous-profile.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { indexUser } from '../search-index/index-record.ts';
import { endSessions } from '../session/end-sessions.ts';
import { updateMemberships } from './update-memberships.ts';
import { userEvent } from './user-events.ts';

/** What the deletion of an account sets. */
export const DELETED_ACCOUNT = {
  ...ANONYMOUS_PROFILE,
  isDeleted: true,
  roles: [] as string[],
  permissions: [] as string[],
} satisfies Partial<UserRecord>;

/**
 * Ends an account in the transaction that stored {@link DELETED_ACCOUNT}: search entry, memberships, follows and
 * sessions, with the events.
 * @returns whether memberships are left, for `finishAfterRequest` after the commit
 */
export async function endAccount(
  context: Context,
  session: ClientSession,
  deleted: UserRecord,
): Promise<{ hasMore: boolean }> {
  await indexUser(context, session, deleted);
  const { events, hasMore } = await updateMemberships(context, session, deleted);
  await endSessions(context, session, deleted);
  await appendEvents(context, session, [userEvent('user.deleted', deleted), ...events]);
  return { hasMore };
}
