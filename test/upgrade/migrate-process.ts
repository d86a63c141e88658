/** The process that tests kill: runs one migration, writes a line in each batch after its writes, and waits for one. */
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { defaultFeedIds } from '../../src/store/migrations/default-feed-ids.ts';
import { migrate } from '../../src/store/migrations/run.ts';
import { searchEntries } from '../../src/store/migrations/search-entries.ts';
import { countUp } from './count-up.ts';

const MIGRATIONS = { countUp: countUp({ version: 2, batch: 40 }), defaultFeedIds, searchEntries };
export type KilledMigration = keyof typeof MIGRATIONS;

const [uri, databaseName, name] = process.argv.slice(2) as [string, string, KilledMigration];
const client = await MongoClient.connect(uri);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const inner = MIGRATIONS[name];
await migrate({
  client,
  db: client.db(databaseName),
  migrations: [
    {
      ...inner,
      async run(step) {
        const next = await inner.run(step);
        process.stdout.write('batch\n');
        await input.next();
        return next;
      },
    },
  ],
  leaseMs: 1_000,
  pollMs: 50,
});
await client.close();
