/** The settings of the worker thread. */
export interface WorkerSettings {
  folder: string;
  isMemory: boolean;
  /** Whether this process has already checked the file. */
  isChecked: boolean;
  refuseUnindexed: boolean;
  ttlSweepMs: number;
  historyBytes: number;
  historyMs: number;
  transactionLifetimeMs: number;
  maxElements: number;
  residentTarget: number;
}

/** `close` releases the folder and ends the thread; `kill` ends it like a crash. */
export type ToWorker = 'close' | 'kill';

/** Messages of the worker. */
export type FromWorker =
  | { kind: 'ready'; socket: string }
  | { kind: 'failed'; message: string }
  | { kind: 'warning'; message: string };
