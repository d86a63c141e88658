/** The process that is killed: migrates in small batches, says so in each and waits for a line. */
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { migrate } from '../../src/store/migrations/run.ts';
import { countUp } from './count-up.ts';

const [uri, databaseName] = process.argv.slice(2) as [string, string];
const client = await MongoClient.connect(uri);
const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
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
        await told.next();
        return next;
      },
    },
  ],
  leaseMs: 400,
  pollMs: 50,
});
await client.close();
