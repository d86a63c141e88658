import type { BaseRecord } from './base.ts';

/** What happens to the posts, comments, stories, messages, polls, rooms and video streams of an erased person. */
export type ErasedContent = 'keep' | 'remove';

export type ErasureState = 'running' | 'completed';

/** The erasure of a person's data; one per user. */
export interface UserErasureRecord extends BaseRecord {
  userId: string;
  content: ErasedContent;
  state: ErasureState;
  /** Public id of the user who requested it. */
  requestedBy: string;
  requestedAt: Date;
  completedAt: Date | null;
  /** Names of the completed steps, see `src/erasure/steps.ts`. */
  completedSteps: string[];
  /** The names that the profile had, by which stored copies are found; empty once the erasure is completed. */
  names: string[];
  /** The run that executes it; null between runs. */
  lease: string | null;
  /** When another process may continue it. */
  leaseEndsAt: Date;
}
