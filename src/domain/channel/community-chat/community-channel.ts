import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import type { CommunityRecord } from '../../../store/records/community.ts';
import { differs } from '../../differs.ts';
import { deleteFeedsOfChannel } from '../../message-feed/feeds-of-channel.ts';
import { insertMessageFeed } from '../../message-feed/new-message-feed.ts';
import { indexChannel, indexNewChannel } from '../../search-index/index-record.ts';
import { channelEvent } from '../channel-events.ts';
import { newCommunityChannel } from './new-community-channel.ts';

// Applies changes of a community to its chat channel, in the same transaction. Each function returns the
// events of the channel for the caller to append.

/** Creates the channel of a new community with its default message feed and no members. */
export async function createCommunityChannel(
  context: Context,
  session: ClientSession,
  community: CommunityRecord,
): Promise<NewEvent[]> {
  const { channel, feed } = newCommunityChannel(community);
  await context.store.collections.channels.insertOne(channel, { session });
  await indexNewChannel(context, session, channel);
  await insertMessageFeed(context, session, feed);
  return [channelEvent('channel.created', channel)];
}

/** Copies the name, avatar and visibility of the community. */
export async function updateCommunityChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId, displayName, avatarFileId, isPublic, updatedAt }: CommunityRecord,
): Promise<NewEvent[]> {
  const set = { displayName, avatarFileId, isPublic };
  const before = await context.store.collections.channels.findOneAndUpdate(
    { networkId, channelId },
    { $set: { ...set, updatedAt } },
    { session, returnDocument: 'before' },
  );
  context.load.channels.clear(channelId);
  if (before && (before.displayName !== displayName || before.isPublic !== isPublic)) {
    await indexChannel(context, session, { ...before, ...set });
  }
  return before && differs(before, set) ? [channelEvent('channel.updated', before)] : [];
}

/** Deletes the community's channel and its feeds. */
export async function deleteCommunityChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId, updatedAt }: CommunityRecord,
): Promise<NewEvent[]> {
  const { channels } = context.store.collections;
  const deletion = { $set: { isDeleted: true, updatedAt } };
  const channel = await channels.findOneAndUpdate({ networkId, channelId }, deletion, { session });
  await deleteFeedsOfChannel(context, session, { networkId, channelId, updatedAt });
  context.load.channels.clear(channelId);
  return channel ? [channelEvent('channel.deleted', channel)] : [];
}
