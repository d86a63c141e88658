import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../../context.ts';
import type { MessageFeedRecord } from '../../../store/records/chat.ts';
import { canSeeAttachedMedia } from '../../channel/get-channel.ts';
import { validate } from '../../input.ts';
import type { Markers } from '../positions/markers-after-move.ts';
import { markersLock } from '../positions/move-markers.ts';
import { MAX_MARKED } from './get-markers.ts';
import { getEntityMarkers, getUserFeedMarkersOfChannels, getUserMarker, liveFeedsOf } from './get-unread-totals.ts';

export const syncMarkersInput = z.object({
  deviceLastSyncAt: z
    .date()
    .nullish()
    .describe('Time of the last synchronization of the device; without it every marker counts as changed.'),
});

export interface SyncedMarkers extends Markers {
  /** Whether more markers changed; continue from the newest `updatedAt`. */
  hasMore: boolean;
}

/**
 * The viewer's markers that changed since a device last synced; all by default. At most {@link MAX_MARKED} channels per
 * call, earliest changes first.
 */
export async function syncMarkers(context: Context, input: z.input<typeof syncMarkersInput>): Promise<SyncedMarkers> {
  const { networkId, userId } = viewerOf(context);
  const { deviceLastSyncAt } = validate(syncMarkersInput, input);
  const from = deviceLastSyncAt ?? new Date(0);
  const now = context.now();
  const stored = await context.transaction(
    (session) =>
      context.store.collections.userMarkers.findOneAndUpdate(
        { networkId, userId },
        { $set: { lastSyncAt: now, updatedAt: now }, $setOnInsert: { _id: new ObjectId(), createdAt: now } },
        { session, upsert: true, returnDocument: 'after' },
      ),
    markersLock(context),
  );
  // The record as written, because an enclosing transaction may not be committed yet.
  context.load.userMarkers.clear(userId).prime(userId, stored);

  const userMarker = await getUserMarker(context);
  const changed = (await changedChannels(context, from)).sort((one, other) => one.at - other.at);
  const page = changed.slice(0, MAX_MARKED);
  const entityIds = page.map(({ entityId }) => entityId);
  const [userEntityMarkers, userFeedMarkers] = await Promise.all([
    getEntityMarkers(context, { entityIds }),
    getUserFeedMarkersOfChannels(context, { entityIds }),
  ]);
  return {
    userMarker,
    userEntityMarkers,
    userFeedMarkers,
    feeds: page.flatMap(({ feeds }) => feeds),
    hasMore: changed.length > page.length,
  };
}

/**
 * The viewer's channels in which a feed, a position or the membership changed, with the time of the last change. Leaves
 * out the chats of video streams and rooms that the viewer no longer sees, as `getMessageFeed` does.
 */
async function changedChannels(
  context: Context,
  from: Date,
): Promise<Array<{ entityId: string; at: number; feeds: MessageFeedRecord[] }>> {
  const { userId } = viewerOf(context);
  const [memberships, markers] = await Promise.all([
    context.load.channelsOfUser.load([userId, 'member']),
    context.load.userFeedMarkersOfUser.load(userId),
  ]);
  const visible = await Promise.all(
    (memberships ?? []).map(async (membership) => {
      const channel = await context.load.channels.load(membership.channelId);
      return !channel || (await canSeeAttachedMedia(context, channel)) ? membership : null;
    }),
  );
  const visibleMemberships = visible.filter((membership) => membership !== null);
  const changed = await Promise.all(
    visibleMemberships.map(async ({ channelId, channelInternalId, updatedAt }) => {
      const feeds = await liveFeedsOf(context, channelId);
      const own = (markers ?? []).filter(({ entityId }) => entityId === channelInternalId);
      const at = Math.max(
        ...[updatedAt, ...[...feeds, ...own].map((one) => one.updatedAt)].map((date) => date.getTime()),
      );
      return { entityId: channelInternalId, at, feeds };
    }),
  );
  return changed.filter(({ at }) => at > from.getTime());
}
