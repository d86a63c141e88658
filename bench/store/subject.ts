/** The measured operations, the same for every subject. */
export const OPERATIONS = ['point read', 'range of 50', 'insert', 'transaction of 4 writes'] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** Number of concurrent operations, in addition to one at a time. */
export const TOGETHER: { [Name in OperationName]: number } = {
  'point read': 32,
  'range of 50': 32,
  insert: 64,
  'transaction of 4 writes': 64,
};

/** Executes the operations: the store, or a baseline. */
export interface Subject {
  /** Process that does the work; undefined if it is this one. */
  pid: number | undefined;
  /** Each call uses another record or key. Resolves when it is done; a write when it is on disk. */
  work: { [Name in OperationName]: () => Promise<unknown> };
  /** Removes inserted records, so that the number of records stays the same. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
