import type { Store } from '../../src/store/store.ts';

/** Gives a channel an id that only earlier versions accepted, with its members and message feeds. */
export async function renameChannel(
  { collections }: Pick<Store, 'collections'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { channels, channelUsers, messageFeeds } = collections;
  const former = { networkId: 'default', channelId: from };
  const change = { $set: { channelId: to } };
  // One by one: on a sharded cluster, an update that changes a shard key is of one record.
  for (const { userId } of await channelUsers.find(former).toArray()) {
    await channelUsers.updateOne({ ...former, userId }, change);
  }
  await messageFeeds.updateMany(former, change);
  await channels.updateOne(former, change);
}
