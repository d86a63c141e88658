import { ANONYMOUS_PROFILE, DELETED_USER_NAME, withoutMemberName } from '../records/anonymous-profile.ts';
import type { ChannelRecord } from '../records/chat.ts';
import type { UserRecord } from '../records/user.ts';
import { type Migration, type MigrationStep, readBatch } from './migration.ts';

/** Older releases kept the profile of a deleted user, and the copies of the name, as they were. */
export const anonymousUsers: Migration = {
  version: 7,
  name: 'no profiles of deleted users',
  async run(step) {
    const { records: users, next } = await readBatch<UserRecord>(step, {
      collection: 'users',
      filter: { isDeleted: true },
      size: 50,
    });
    for (const user of users) await anonymize(step, user);
    return next;
  },
};

async function anonymize({ db, session }: MigrationStep, { _id, networkId, userId, displayName }: UserRecord) {
  const memberships = { networkId, userId };
  const named = { $set: { displayName: DELETED_USER_NAME } };
  await db.collection('users').updateOne({ _id }, { $set: ANONYMOUS_PROFILE }, { session });
  await db.collection('communityUsers').updateMany(memberships, named, { session });
  const channelUsers = db.collection('channelUsers');
  await channelUsers.updateMany(memberships, named, { session });
  const channelIds = (await channelUsers.find(memberships, { session, projection: { channelId: 1 } }).toArray()).map(
    ({ channelId }) => channelId as string,
  );
  if (channelIds.length === 0) return;
  const channels = db.collection<ChannelRecord>('channels');
  const found = await channels.find({ networkId, channelId: { $in: channelIds } }, { session }).toArray();
  for (const channel of found.filter(({ type }) => type === 'conversation')) {
    const renamed = withoutMemberName(channel.displayName, displayName);
    if (renamed === channel.displayName) continue;
    await channels.updateOne({ _id: channel._id }, { $set: { displayName: renamed } }, { session });
    const feeds = { networkId, channelId: channel.channelId, name: channel.displayName };
    await db.collection('messageFeeds').updateMany(feeds, { $set: { name: renamed } }, { session });
  }
}
