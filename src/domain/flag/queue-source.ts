import type { Collection, Document, Filter } from 'mongodb';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { KeysetQuery } from '../../store/keyset-query.ts';
import type { BaseRecord } from '../../store/records/base.ts';
import type { FlagRecord } from '../../store/records/content.ts';
import { readUnionPage } from '../../store/union-page.ts';

/** Kinds of records in the moderation queue: those that users flag. */
export const QUEUE_KINDS = ['post', 'comment', 'story', 'message', 'user'] as const;
export type QueueKind = FlagRecord['referenceType'];

/** Which records of the network one source of the queue reads. */
export interface QueueSelection {
  /** Conditions on the place: alternatives, each served by an index. Empty: no record. */
  places: readonly QueuePlace[];
  /** Only content of this user. */
  authorId: string | null;
  /** Only records created in this period. */
  createdAt: { $gte?: Date; $lt?: Date };
}

/** Content of a community or user's feed by `targetType` and `targetId`, messages by `channelId`; empty: everywhere. */
export interface QueuePlace {
  targetType?: 'community' | { $in: Array<'user' | 'content'> };
  targetId?: { $in: string[] };
  channelId?: { $in: string[] };
}

/** Records of one kind and state, as the moderation queue lists them. */
export interface QueueSource {
  kind: QueueKind;
  /** Reads a page, from an index in the order of the queue. */
  read(page: QueuePage): Promise<BaseRecord[]>;
  /** The records that the viewer moderates, in the same order. */
  moderated(records: BaseRecord[]): MaybePromise<BaseRecord[]>;
}

export type QueuePage = Omit<KeysetQuery<Document>, 'collection' | 'filter'>;

interface SourceOf<Record extends BaseRecord> {
  kind: QueueKind;
  collection: Collection<Record>;
  filters: Filter<Record>[];
  moderated(records: Record[]): MaybePromise<Record[]>;
}

/** A source of the records that match at least one of the filters. */
export function queueSource<Record extends BaseRecord>({
  kind,
  collection,
  filters,
  moderated,
}: SourceOf<Record>): QueueSource {
  return {
    kind,
    read: (page) => readUnionPage({ ...page, collection, filters }),
    moderated: (records) => moderated(records as Record[]),
  };
}

/** The filters of a source: one for each place. */
export function queueFilters<Record extends BaseRecord>(
  { places, authorId, createdAt }: QueueSelection,
  { networkId, authorField, state }: { networkId: string; authorField: keyof Record & string; state: Filter<Record> },
): Filter<Record>[] {
  return places.map(
    (place) =>
      ({
        networkId,
        ...place,
        ...state,
        isDeleted: false,
        ...(authorId !== null && { [authorField]: authorId }),
        // In `$and`, because the position of a page bounds the same field.
        ...(Object.keys(createdAt).length > 0 && { $and: [{ createdAt }] }),
      }) as unknown as Filter<Record>,
  );
}

export const FLAGGED = { flagCount: { $gt: 0 } } as const;
