import { chatReads } from './chat-reads.ts';
import { communityReads } from './community-reads.ts';
import { contentReads } from './content-reads.ts';
import { peopleReads } from './people-reads.ts';
import type { Read } from './query.ts';

/** The reads, by name. */
export const READS: { [name: string]: Read } = { ...contentReads, ...communityReads, ...peopleReads, ...chatReads };
