import type { ObjectId } from 'mongodb';
import { eachRecord, type Migration } from '../../src/store/migrations/migration.ts';

export interface Counted {
  _id: ObjectId;
  n: number;
}

/** A migration that shows how often it has reached each record. */
export const countUp = ({ version, batch }: { version: number; batch?: number }): Migration => ({
  version,
  name: 'count up',
  run: eachRecord<Counted>({ collection: 'counted', ...(batch && { size: batch }) }, () => ({ $inc: { n: 1 } })),
});
