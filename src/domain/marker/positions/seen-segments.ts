import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { MessageFeedRecord, SeenSegments, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import { newestSegmentUntil } from '../../message/traces-of-user.ts';

/** Stretches that a marker keeps. With more of them the oldest is forgotten, and counts as unread again. */
const MAX_STRETCHES = 20;

/** What the user has seen while reading, with the last stretch ended: now, or when they stopped without a word. */
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

/** A stretch that begins behind the feed's last message; one that ended there goes on. */
export function beginReading(ended: SeenSegments[], lastSegment: number): SeenSegments[] {
  if (ended.at(-1)?.to === lastSegment) return ended;
  return [...ended, { from: lastSegment, to: lastSegment }].slice(-MAX_STRETCHES);
}

/** Without what was marked as read since; the stretch that still grows stays. */
export function unreadFrom(seen: SeenSegments[], readToSegment: number, readingUntil: Date | null): SeenSegments[] {
  return seen.filter(
    ({ from, to }, index) => (to > readToSegment && to > from) || (readingUntil !== null && index === seen.length - 1),
  );
}
