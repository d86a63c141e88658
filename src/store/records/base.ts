import type { ObjectId } from 'mongodb';

/**
 * The fields of every stored record. `_id` is the internal id; public ids are separate fields (`postId`, `userId` …).
 */
export interface BaseRecord {
  _id: ObjectId;
  networkId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Free-form JSON of a client; stored verbatim, never used in a filter. */
export type Json = { [key: string]: unknown };

/** Bloom filter of the user ids that flagged a record; parameters in `src/domain/flag/hash-flag.ts`. */
export interface HashFlag {
  bits: number;
  hashes: number;
  hash: string[];
}

/** Counts by reaction name. Names are free text and may equal names of `Object.prototype`: check for own properties. */
export type ReactionCounts = { [name: string]: number };

export interface Mentionee {
  type: 'user' | 'channel';
  /** Public ids. */
  userIds: string[];
  userInternalIds: string[];
}

export interface VideoFileIds {
  original?: string | null;
  low?: string | null;
  medium?: string | null;
  high?: string | null;
}

/** The totals of flags and reactions on the record they refer to. */
export interface Reactable {
  flagCount: number;
  hashFlag: HashFlag | null;
  reactionsCount: number;
  reactions: ReactionCounts;
}
