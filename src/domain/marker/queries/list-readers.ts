import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { MessageRecord, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { type EntityMarker, membershipStatus } from './get-unread-totals.ts';

export interface Readers {
  /** The markers, in the order of the page. */
  page: Page<UserFeedMarkerRecord>;
  /** The users of the markers; null for a user who does not exist. */
  users: Array<UserRecord | null>;
}

export interface ReadersQuery {
  /** Which position counts. */
  by: 'readToSegment' | 'deliveredToSegment';
  /** Current membership states in the channel. @default members, muted ones included */
  memberships?: ReadonlyArray<EntityMarker['membership']> | null | undefined;
  request: PageRequest;
}

/** Users who have read or received a message, without its author, by user id. */
export async function listReaders(
  context: Context,
  message: MessageRecord,
  { by, memberships, request }: ReadersQuery,
): Promise<Readers> {
  const { networkId } = viewerOf(context);
  const { messageFeedId, channelId, segment, userId } = message;
  const page = await readPage<UserFeedMarkerRecord>({
    collection: context.store.collections.userFeedMarkers,
    budget: context.reads,
    // No index has the position: with it in the filter, one command could pass over any number of markers.
    filter: { networkId, feedId: messageFeedId },
    order: { field: 'userId', direction: 1, type: 'string' },
    request,
    visible: async (markers) => {
      const readers = markers.filter((marker) => marker[by] >= segment && marker.userId !== userId);
      const members = await Promise.all(
        readers.map((marker) => context.load.channelUsers.load([channelId, marker.userId])),
      );
      return readers.filter((_, index) => {
        const member = members[index];
        if (!member) return false;
        return memberships?.length
          ? memberships.includes(membershipStatus(context, member))
          : member.membership === 'member';
      });
    },
  });
  const users = await Promise.all(page.records.map((marker) => context.load.users.load(marker.userId)));
  return { page, users };
}
