import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { MessageRecord, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import type { UserRecord } from '../../../store/records/user.ts';

export interface Readers {
  /** The markers, in the order of the page. */
  page: Page<UserFeedMarkerRecord>;
  /** The users of the markers; null for a user who does not exist. */
  users: Array<UserRecord | null>;
}

/**
 * Members who have read or received a message, without its author, by user id.
 * @param by which position counts: read or delivered
 */
export async function listReaders(
  context: Context,
  message: MessageRecord,
  { by, request }: { by: 'readToSegment' | 'deliveredToSegment'; request: PageRequest },
): Promise<Readers> {
  const { networkId } = viewerOf(context);
  const { messageFeedId, channelId, segment, userId } = message;
  const page = await readPage<UserFeedMarkerRecord>({
    collection: context.store.collections.userFeedMarkers,
    budget: context.reads,
    filter: { networkId, feedId: messageFeedId, [by]: { $gte: segment } },
    order: { field: 'userId', direction: 1, type: 'string' },
    request,
    visible: async (markers) => {
      const members = await Promise.all(
        markers.map((marker) => context.load.channelUsers.load([channelId, marker.userId])),
      );
      return markers.filter((marker, index) => marker.userId !== userId && members[index]?.membership === 'member');
    },
  });
  const users = await Promise.all(page.records.map((marker) => context.load.users.load(marker.userId)));
  return { page, users };
}
