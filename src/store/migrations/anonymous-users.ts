import { ANONYMOUS_PROFILE, DELETED_USER_NAME } from '../records/anonymous-profile.ts';
import type { UserRecord } from '../records/user.ts';
import { type Migration, readBatch } from './migration.ts';

/** Users per batch. Few: each may have hundreds of memberships, which change in the same transaction. */
const USERS = 5;

/** Older releases did not clear the profile of a deleted user, nor the copies of the name in memberships. */
export const anonymousUsers: Migration = {
  version: 7,
  name: 'no profiles of deleted users',
  async run(step) {
    const { db, session } = step;
    const { records: users, next } = await readBatch<UserRecord>(step, {
      collection: 'users',
      filter: { isDeleted: true },
      size: USERS,
    });
    if (users.length === 0) return next;
    const profiles = users.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $set: ANONYMOUS_PROFILE } } }));
    const names = users.map(({ networkId, userId }) => ({
      updateMany: { filter: { networkId, userId }, update: { $set: { displayName: DELETED_USER_NAME } } },
    }));
    await db.collection('users').bulkWrite(profiles, { session });
    await db.collection('communityUsers').bulkWrite(names, { session });
    await db.collection('channelUsers').bulkWrite(names, { session });
    return next;
  },
};
