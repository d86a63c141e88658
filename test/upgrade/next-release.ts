/**
 * The program of later releases: this one with further migrations. `ADDED_MIGRATIONS=1` adds one beside which gateways of this
 * release continue, 2 also one beside which they cannot. While the document `{ _id: 'gate' }` exists, the first one holds its lock
 * and waits.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATIONS } from '../../src/store/migrations/list.ts';
import { eachRecord, type Migration } from '../../src/store/migrations/migration.ts';

/** Small batches, between which other writers commit. */
const BATCH = 2;
const BATCH_MS = 20;
const LATEST = MIGRATIONS.at(-1)!.version;

const additive: Migration = {
  version: LATEST + 1,
  name: 'a field that earlier releases ignore',
  compatibleFrom: LATEST,
  async before(db) {
    const gates = db.collection<{ _id: string; isReached?: boolean }>('rolloutGate');
    const reached = { $set: { isReached: true } };
    while ((await gates.updateOne({ _id: 'gate' }, reached)).matchedCount > 0) await pause(50);
  },
  async run(step) {
    await pause(BATCH_MS);
    return eachRecord({ collection: 'posts', size: BATCH }, () => ({ $set: { fieldOfNextRelease: 1 } }))(step);
  },
};
const breaking: Migration = { version: LATEST + 2, name: 'a new form of records', run: async () => undefined };

const added = [additive, breaking].filter(({ version }) => version <= LATEST + Number(process.env.ADDED_MIGRATIONS));
(MIGRATIONS as Migration[]).push(...added);
await import('../../src/main.ts');
