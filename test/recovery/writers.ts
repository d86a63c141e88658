/**
 * The process that is killed: opens the store in the folder given and lets 32 writers insert, update and transact.
 * What the store acknowledges is printed, one line each, only after the acknowledgement.
 */
import { type Collection, MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';

interface Row {
  _id: string;
  name: string;
  n: number;
  pair?: string;
}

const [folder, round] = process.argv.slice(2) as [string, string];
const store = await startEmbeddedStore({ folder, refuseUnindexed: true });
const client = await MongoClient.connect(store.uri, { maxPoolSize: 64, retryWrites: true });
const rows: Collection<Row> = client.db('crash').collection('rows');
await rows.createIndexes([
  { key: { name: 1 }, name: 'name', unique: true },
  { key: { pair: 1, n: 1 }, name: 'pair' },
]);

const acknowledge = (line: string): void => void process.stdout.write(`${line}\n`);

/** Inserts rows of its own and counts one of them up. */
async function insertAndCount(writer: number): Promise<void> {
  const counter = `r${round}w${writer}`;
  await rows.insertOne({ _id: counter, name: counter, n: 0 });
  acknowledge(`insert ${counter}`);
  for (let i = 1; ; i++) {
    const _id = `${counter}i${i}`;
    await rows.insertOne({ _id, name: _id, n: i });
    acknowledge(`insert ${_id}`);
    await rows.updateOne({ _id: counter }, { $inc: { n: 1 } });
    acknowledge(`count ${counter} ${i}`);
  }
}

/** Inserts two rows that belong together, and now and then takes an old pair away. */
async function insertPairs(writer: number): Promise<void> {
  for (let i = 1; ; i++) {
    const pair = `r${round}t${writer}p${i}`;
    const gone = i % 3 === 0 ? `r${round}t${writer}p${i - 1}` : undefined;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        for (const side of ['a', 'b']) {
          await rows.insertOne({ _id: pair + side, name: pair + side, n: i, pair }, { session });
        }
        if (gone) await rows.deleteMany({ pair: gone }, { session });
      }),
    );
    acknowledge(`pair ${pair}`);
    if (gone) acknowledge(`gone ${gone}`);
  }
}

acknowledge('started');
await Promise.all(
  Array.from({ length: 32 }, (_, writer) => (writer % 2 === 0 ? insertAndCount(writer) : insertPairs(writer))),
);
