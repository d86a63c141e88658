/** What the worker thread is started with. */
export interface WorkerSettings {
  folder: string;
  isMemory: boolean;
  /** This process has checked the file since it started. */
  isChecked: boolean;
  refuseUnindexed: boolean;
  ttlSweepMs: number;
  historyBytes: number;
  historyMs: number;
  transactionLifetimeMs: number;
  maxElements: number;
}

/** To finish and free the folder, or to end as if crashed. */
export type ToWorker = 'close' | 'kill';

/** What the worker tells. */
export type FromWorker =
  | { kind: 'ready'; socket: string }
  | { kind: 'failed'; message: string }
  | { kind: 'warning'; message: string };
