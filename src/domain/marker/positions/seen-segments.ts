import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { MessageFeedRecord, SeenSegments, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import { newestSegmentUntil } from '../../message/newest-segments.ts';

/** Ranges that a marker stores. Beyond that the oldest is dropped, and its messages count as unread again. */
const MAX_RANGES = 20;

/** The ranges seen while reading, with the last one ended: now, or when reading timed out. */
export async function endReading(
  context: Context,
  session: ClientSession,
  { seen = [], readingUntil }: UserFeedMarkerRecord,
  { networkId, messageFeedId, lastSegment }: MessageFeedRecord,
): Promise<SeenSegments[]> {
  const last = seen.at(-1);
  if (!last || readingUntil === null) return seen;
  const to =
    readingUntil > context.now()
      ? lastSegment
      : await newestSegmentUntil(context, session, { networkId, messageFeedId, until: readingUntil });
  return [...seen.slice(0, -1), { from: last.from, to: Math.max(last.to, to) }];
}

/** Starts a range after the feed's last message, or continues one that ended there. */
export function beginReading(ended: SeenSegments[], lastSegment: number): SeenSegments[] {
  if (ended.at(-1)?.to === lastSegment) return ended;
  return [...ended, { from: lastSegment, to: lastSegment }].slice(-MAX_RANGES);
}

/** Drops ranges that were marked as read since; an open range stays. */
export function unreadFrom(seen: SeenSegments[], readToSegment: number, readingUntil: Date | null): SeenSegments[] {
  return seen.filter(
    ({ from, to }, index) => (to > readToSegment && to > from) || (readingUntil !== null && index === seen.length - 1),
  );
}
