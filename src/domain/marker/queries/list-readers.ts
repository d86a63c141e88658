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
    filter: { networkId, feedId: messageFeedId, [by]: { $gte: segment } },
    order: { field: 'userId', direction: 1, type: 'string' },
    request,
    visible: async (markers) => {
      const members = await Promise.all(
        markers.map((marker) => context.load.channelUsers.load([channelId, marker.userId])),
      );
      return markers.filter((marker, index) => {
        const member = members[index];
        if (!member || marker.userId === userId) return false;
        return memberships?.length
          ? memberships.includes(membershipStatus(context, member))
          : member.membership === 'member';
      });
    },
  });
  const users = await Promise.all(page.records.map((marker) => context.load.users.load(marker.userId)));
  return { page, users };
}
