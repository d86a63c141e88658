import type { ClientSession, Collection, Filter, UpdateFilter } from 'mongodb';
import type { BaseRecord } from '../../store/records/base.ts';
import { EMBEDDED_IDS } from '../../store/records/content.ts';
import { updateOneOf } from '../../store/write-together.ts';

/** An added or removed comment. */
export interface CommentChange {
  commentId: string;
  isTopLevel: boolean;
  by: 1 | -1;
  /** Ids of the newest remaining top-level comments, if one of them was removed. */
  left?: string[];
}

interface Counted<Record extends BaseRecord> extends CommentChange {
  session: ClientSession;
  /** The collection of the commented record; the resource that owns it makes this call. */
  collection: Collection<Record>;
  filter: Filter<Record>;
}

/**
 * Counts a comment on its post or story, which also keeps the ids of its newest ones.
 * @returns false when there is no such record
 */
export async function countComment<Record extends BaseRecord>(counted: Counted<Record>): Promise<boolean> {
  const { session, collection, filter, commentId, isTopLevel, by, left } = counted;
  const update = {
    $inc: { commentsCount: by },
    ...(by > 0 && isTopLevel && { $push: { comments: { $each: [commentId], $slice: -EMBEDDED_IDS } } }),
    ...(left && { $set: { comments: left } }),
  } as unknown as UpdateFilter<Record>;
  return (await updateOneOf(collection, { filter, update }, session)) === 1;
}
