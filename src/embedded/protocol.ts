/** What the worker thread is started with. */
export interface WorkerSettings {
  folder: string;
  isMemory: boolean;
  refuseUnindexed: boolean;
  ttlSweepMs: number;
}

/** What the worker tells; any message to it means: close. */
export type FromWorker =
  | { kind: 'ready'; socket: string }
  | { kind: 'failed'; message: string }
  | { kind: 'warning'; message: string };
