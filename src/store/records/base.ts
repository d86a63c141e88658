import type { ObjectId } from 'mongodb';

/** What every stored record carries. `_id` is the internal id; public ids (`postId`, `userId` …) stand beside it. */
export interface BaseRecord {
  _id: ObjectId;
  networkId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Free-form JSON of a client; stored verbatim, never merged into a filter. */
export type Json = { [key: string]: unknown };

/** Bloom filter of the user ids that flagged a record; parameters in `src/domain/flag/hash-flag.ts`. */
export interface HashFlag {
  bits: number;
  hashes: number;
  hash: string[];
}

/** Counts by reaction name. Names are free text, so a reader must not index it by an unchecked key. */
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

/** What flags, reactions and comments leave on the record they refer to. */
export interface Reactable {
  flagCount: number;
  hashFlag: HashFlag | null;
  reactionsCount: number;
  reactions: ReactionCounts;
}
