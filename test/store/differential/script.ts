import type { Document } from 'bson';

/** The collections scripts are about. */
export const COLLECTIONS = ['c', 'e'] as const;

/** One command of a script, with what it belongs to and how its answer compares. */
export interface Step {
  /** For the script's own database, except for the end of a transaction. */
  command: Document;
  /** Which of the script's sessions sends it. */
  session?: number;
  /** Its transaction number: of a retryable write, or of a transaction where `role` says so. */
  number?: number;
  role?: 'starts' | 'continues' | 'ends';
  /**
   * How the documents of the answer compare: as they come, as a set, or, given a sort, as they come except that ties
   * may stand in any order.
   *
   * @default 'exact'
   */
  order?: 'exact' | 'any' | Document;
  /** Names the cursor it opens; `cursor` is the one a `getMore` goes on with. */
  opens?: string;
  cursor?: string;
  /** Outside of what the store knows: it must be refused by a text with this name, and is not asked elsewhere. */
  refuses?: string;
  /** Fails at a document that depends on the plan, so what comes after a failure is not compared. */
  endsIfFailed?: boolean;
}

export interface Script {
  seed: number;
  /** Whether there is nothing at first; otherwise the collections are there, empty. */
  isFresh: boolean;
  steps: Step[];
}
