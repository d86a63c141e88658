/** What is measured, the same for whoever is asked. */
export const OPERATIONS = ['point read', 'range of 50', 'insert', 'transaction of 4 writes'] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** How many of them are under way at a time, beside one alone. */
export const TOGETHER: { [Name in OperationName]: number } = {
  'point read': 32,
  'range of 50': 32,
  insert: 64,
  'transaction of 4 writes': 64,
};

/** Something that carries out the operations: a store, or what stands in for its parts. */
export interface Subject {
  /** Of the process that does the work; undefined where it is this one. */
  pid: number | undefined;
  /** Each call is the next one of its kind: another record, another key. Resolves when it is done, on disk if a write. */
  work: { [Name in OperationName]: () => Promise<unknown> };
  /** Takes away what was inserted since, so that the number of records stays what it is. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}
