import type { BatchSource } from './batcher.ts';
import type { Find } from './find.ts';

/** Selects the messages of a feed that do not count as unread for a reader. */
export interface UncountedKey {
  messageFeedId: string;
  /** The segment up to which the reader has read. */
  after: number;
  /** The reader, whose own messages do not count; null if none of them comes after `after`. */
  author: string | null;
}

/**
 * Loads the segments after a position that do not count as unread: those of deleted messages, and of the reader's own
 * messages where an old release did not advance the position. One command for any number of feeds and readers.
 */
export function uncountedSegments(find: Find): BatchSource<UncountedKey, number[]> {
  const keyOf = ({ messageFeedId, after, author }: UncountedKey) => `${messageFeedId} ${after} ${author ?? ''}`;
  return {
    collection: 'messages',
    keyOf,
    async fetch(networkId, keys) {
      const branches = keys.flatMap(({ messageFeedId, after, author }) => {
        const later = { networkId, messageFeedId, segment: { $gt: after } };
        const own = author === null ? [] : [{ ...later, isDeleted: false, userId: author }];
        return [{ ...later, isDeleted: true }, ...own];
      });
      const projection = { _id: 0, messageFeedId: 1, segment: 1, userId: 1, isDeleted: 1 };
      const filter = branches.length === 1 ? branches[0]! : { $or: branches };
      const messages = await find('messages', filter, projection);
      return new Map(
        keys.map((key) => {
          const counted = messages.filter(
            (message) =>
              message.messageFeedId === key.messageFeedId &&
              message.segment > key.after &&
              (message.isDeleted || message.userId === key.author),
          );
          return [keyOf(key), counted.map((message) => message.segment)];
        }),
      );
    },
  };
}

/** How long a feed counts as being read after the client's last signal, which it repeats every 30 s. */
export const READING_MS = 60_000;

export interface SeenKey {
  messageFeedId: string;
  until: Date;
}

/**
 * Loads the newest segment that a message feed had at `until`, the time when reading ended without a final signal. No
 * value if no message arrived within {@link READING_MS} before.
 */
export function seenUpTo(find: Find): BatchSource<SeenKey, number> {
  const keyOf = ({ messageFeedId, until }: SeenKey) => `${messageFeedId} ${until.getTime()}`;
  return {
    collection: 'messages',
    keyOf,
    async fetch(networkId, keys) {
      const branches = keys.map(({ messageFeedId, until }) => ({
        networkId,
        messageFeedId,
        createdAt: { $gt: new Date(until.getTime() - READING_MS), $lte: until },
      }));
      const projection = { _id: 0, messageFeedId: 1, segment: 1, createdAt: 1 };
      const messages = await find('messages', branches.length === 1 ? branches[0]! : { $or: branches }, projection);
      const found = new Map<string, number>();
      for (const key of keys) {
        const segments = messages
          .filter(({ messageFeedId, createdAt }) => messageFeedId === key.messageFeedId && createdAt <= key.until)
          .map(({ segment }) => segment);
        if (segments.length > 0) found.set(keyOf(key), Math.max(...segments));
      }
      return found;
    },
  };
}

/** Selects the receipts of a message by its place. */
export interface ReceiptKey {
  messageFeedId: string;
  segment: number;
  /** The author, whose own position does not count. */
  author: string;
}

export interface ReceiptCounts {
  /** Users who have read the message. */
  readCount: number;
  /** Users to whose devices it was delivered. */
  deliveredCount: number;
}

/**
 * Counts the users who have read and received messages. One command for any number of messages; it reads the markers of
 * their feeds.
 */
export function receiptCounts(find: Find): BatchSource<ReceiptKey, ReceiptCounts> {
  const keyOf = ({ messageFeedId, segment }: ReceiptKey) => `${messageFeedId} ${segment}`;
  return {
    collection: 'messages',
    keyOf,
    async fetch(networkId, keys) {
      const oldest = new Map<string, number>();
      for (const { messageFeedId, segment } of keys) {
        oldest.set(messageFeedId, Math.min(segment, oldest.get(messageFeedId) ?? segment));
      }
      const branches = [...oldest].map(([feedId, segment]) => ({
        networkId,
        feedId,
        deliveredToSegment: { $gte: segment },
      }));
      const projection = { _id: 0, feedId: 1, userId: 1, readToSegment: 1, deliveredToSegment: 1 };
      const markers = await find(
        'userFeedMarkers',
        branches.length === 1 ? branches[0]! : { $or: branches },
        projection,
      );
      return new Map(
        keys.map((key) => {
          const others = markers.filter(({ feedId, userId }) => feedId === key.messageFeedId && userId !== key.author);
          const readCount = others.filter(({ readToSegment }) => readToSegment >= key.segment).length;
          const deliveredCount = others.filter(({ deliveredToSegment }) => deliveredToSegment >= key.segment).length;
          return [keyOf(key), { readCount, deliveredCount }];
        }),
      );
    },
  };
}
