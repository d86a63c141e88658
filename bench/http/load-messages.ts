/** What the bench sends to its load generator. */
export type LoadOrder =
  | {
      type: 'run';
      url: string;
      connections: number;
      milliseconds: number;
      /** Milliseconds before the measured part, because all connections start in step. */
      leadInMs: number;
      servers: readonly number[];
      store: number;
      /** Other processes of the bench. */
      bench: readonly number[];
      /** Encoded HTTP requests. */
      requests: readonly string[];
    }
  | { type: 'requests'; requests: readonly string[] };

/** What the load generator returns. */
export type LoadReport =
  | { type: 'more' }
  | { type: 'failed'; why: string }
  | { type: 'measured'; durations: number[]; elapsedMs: number; usage: Usage };

/** Processor time in milliseconds. */
export interface Usage {
  server: number;
  store: number;
  /** The load generator. */
  client: number;
  /** All other processes of the machine except the bench itself. */
  others: number;
}
