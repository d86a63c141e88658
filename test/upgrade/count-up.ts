import type { ObjectId } from 'mongodb';
import { eachRecord, type Migration } from '../../src/store/migrations/migration.ts';

export interface Counted {
  _id: ObjectId;
  n: number;
}

/** A migration that counts in each record how often it has processed it. */
export const countUp = ({ version, batch }: { version: number; batch?: number }): Migration => ({
  version,
  name: 'count up',
  run: eachRecord<Counted>({ collection: 'counted', ...(batch && { size: batch }) }, () => ({ $inc: { n: 1 } })),
});
