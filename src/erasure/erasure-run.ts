import type { Context } from '../context.ts';
import type { UserErasureRecord } from '../store/records/erasure.ts';

/** The erasure that this process executes. */
export interface ErasureRun {
  /** A context with all permissions of the network, for one batch. */
  newContext(): Context;
  erasure: UserErasureRecord;
  /** Internal id of the person; null if the record of the user is missing, such as in a partly restored database. */
  internalId: string | null;
  /** Extends the lease, if that is due. Call it before each batch. @throws if the run must stop: another process holds the erasure */
  proceed(): Promise<void>;
}

/** One part of an erasure. Safe to repeat, because a run that was interrupted repeats the step from its beginning. */
export interface ErasureStep {
  name: string;
  run(run: ErasureRun): Promise<void>;
}
