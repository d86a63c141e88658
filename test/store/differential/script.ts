import type { Document } from 'bson';

/** The collections of scripts. */
export const COLLECTIONS = ['c', 'e'] as const;

/** One command of a script, with its session and the way to compare its reply. */
export interface Step {
  /** Runs in the script's own database, except for the end of a transaction. */
  command: Document;
  /** The index of the session that sends it. */
  session?: number;
  /** The number of a retryable write, or of a transaction if `role` is set. */
  number?: number;
  role?: 'starts' | 'continues' | 'ends';
  /**
   * How the documents of the reply are compared: in order, as a set, or, given a sort, in order except for ties.
   *
   * @default 'exact'
   */
  order?: 'exact' | 'any' | Document;
  /** Names the cursor that the step opens; `cursor` is the one that a `getMore` reads. */
  opens?: string;
  cursor?: string;
  /** Unsupported by the store: it must reject the step with this name in the message; other servers do not run it. */
  refuses?: string;
  /** Fails at a document that depends on the plan, so the state after a failure is not compared. */
  endsIfFailed?: boolean;
}

export interface Script {
  seed: number;
  /** Whether no collections exist at first; otherwise they are created empty. */
  isFresh: boolean;
  steps: Step[];
}
