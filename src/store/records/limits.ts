import type { ObjectId } from 'mongodb';

/** What all processes have counted for a client; written by rate-limiter-flexible. */
export interface RateCounterRecord {
  _id: ObjectId;
  /** Hash of the client and the class of operations. */
  key: string;
  points: number;
  /** When the count starts again. */
  expire: Date;
}
