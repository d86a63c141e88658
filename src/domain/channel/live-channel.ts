import type { ClientSession, UpdateFilter } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { NewEvent } from '../../events/append-events.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';
import { channelEvent } from './channel-events.ts';
import { channelRecord, firstMembers, insertChannel } from './new-channel.ts';

/** The record of a chat for a live stream or room, moderated by the viewer. */
export function liveChannel(
  context: Context,
  { title, attachedTo }: { title: string; attachedTo: Partial<NonNullable<ChannelRecord['attachedTo']>> },
): ChannelRecord {
  return channelRecord(context, {
    type: 'live',
    displayName: [...title].slice(0, 100).join(''),
    memberCount: 1,
    attachedTo: { postId: null, videoStreamId: null, roomId: null, ...attachedTo },
  });
}

/** Inserts the chat. @returns the events for the caller to append, as all functions below do */
export async function insertLiveChannel(
  context: Context,
  session: ClientSession,
  channel: ChannelRecord,
): Promise<NewEvent[]> {
  const { userId } = viewerOf(context);
  const members = await firstMembers(context, session, { channel, userIds: [userId], moderatorId: userId });
  await insertChannel(context, session, { channel, members });
  return [channelEvent('channel.created', channel)];
}

/** Links a chat to the post that shows its stream or room. */
export async function attachLiveChannel(
  context: Context,
  session: ClientSession,
  { channelId, postId }: { channelId: string | null; postId: string },
): Promise<NewEvent[]> {
  if (channelId === null) return [];
  const $set = { 'attachedTo.postId': postId, updatedAt: context.now() };
  const attached = await changeLiveChannel(context, session, { channelId, $set });
  return attached ? [channelEvent('channel.updated', attached)] : [];
}

/** Deletes the chat of a deleted stream or room. */
export async function closeLiveChannel(
  context: Context,
  session: ClientSession,
  channelId: string | null,
): Promise<NewEvent[]> {
  if (channelId === null) return [];
  const $set = { isDeleted: true, updatedAt: context.now() };
  const closed = await changeLiveChannel(context, session, { channelId, $set });
  return closed ? [channelEvent('channel.deleted', closed)] : [];
}

/** @returns null for a chat that is already deleted */
async function changeLiveChannel(
  context: Context,
  session: ClientSession,
  { channelId, $set }: { channelId: string; $set: UpdateFilter<ChannelRecord>['$set'] & object },
): Promise<Pick<ChannelRecord, 'channelId' | 'path'> | null> {
  const { networkId } = viewerOf(context);
  const changed = await context.store.collections.channels.findOneAndUpdate(
    { networkId, channelId, type: 'live', isDeleted: false },
    { $set },
    { session, projection: { channelId: 1, path: 1 } },
  );
  context.load.channels.clear(channelId);
  return changed;
}
