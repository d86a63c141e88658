import { canClearUserFlags } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { FLAGGED, type QueueSelection, type QueueSource, queueFilters, queueSource } from '../../flag/queue-source.ts';

/** Flagged users of the moderation queue. */
export function flaggedUsers(context: Context, selection: QueueSelection): QueueSource {
  const viewer = viewerOf(context);
  const { networkId } = viewer;
  return queueSource<UserRecord>({
    kind: 'user',
    collection: context.store.collections.users,
    filters: queueFilters<UserRecord>(selection, { networkId, authorField: 'userId', state: FLAGGED }),
    moderated: (users) => (canClearUserFlags(viewer) ? users : []),
  });
}

/** A user, if the viewer moderates users. */
export async function moderatedUser(context: Context, userId: string): Promise<UserRecord | null> {
  return canClearUserFlags(viewerOf(context)) ? context.load.users.load(userId) : null;
}
