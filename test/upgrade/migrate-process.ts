/** The process that the test kills: migrates in small batches, writes a line in each batch and waits for one. */
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { migrate } from '../../src/store/migrations/run.ts';
import { countUp } from './count-up.ts';

const [uri, databaseName] = process.argv.slice(2) as [string, string];
const client = await MongoClient.connect(uri);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const inner = countUp({ version: 2, batch: 40 });
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
