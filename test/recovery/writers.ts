/**
 * The process that is killed: opens the store in the folder of the first argument, runs 32 writers that insert, update
 * and use transactions, and watches the changes. Acknowledged writes and received events are printed, one line each,
 * only afterwards. A line on standard input kills only the store's thread, which is then restarted.
 */
import { type Collection, MongoClient, MongoError } from 'mongodb';
import { isBrokenSocket } from '../../src/database-errors.ts';
import type { EmbeddedStore } from '../../src/embedded/index.ts';
import { superviseEmbeddedStore } from '../../src/process/embedded-supervisor.ts';
import { patchDriver } from '../../src/store/driver-patches.ts';
import { createKeyLock } from '../../src/store/key-lock.ts';
import { createTransactions } from '../../src/store/transaction.ts';

export interface Row {
  _id: string;
  name: string;
  n: number;
  pair?: string;
}

const [folder, round] = process.argv.slice(2) as [string, string];
let running: EmbeddedStore;
const store = await superviseEmbeddedStore({
  store: { folder, refuseUnindexed: true },
  onStarted: (started) => {
    running = started;
  },
  onGivenUp: (error) => {
    throw error;
  },
});
patchDriver();
const client = await MongoClient.connect(store.uri, { maxPoolSize: 64, retryWrites: true });
const transaction = createTransactions({ client, timeoutMs: 0, withKeyLock: createKeyLock() });
const rows: Collection<Row> = client.db('crash').collection('rows');
await rows.createIndexes([
  { key: { name: 1 }, name: 'name', unique: true },
  { key: { pair: 1, n: 1 }, name: 'pair' },
]);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Inserts its own rows and increments a counter in one of them. */
async function insertAndCount(writer: string): Promise<void> {
  const counter = `r${round}w${writer}`;
  await rows.insertOne({ _id: counter, name: counter, n: 0 });
  say(`insert ${counter}`);
  for (let i = 1; ; i++) {
    const _id = `${counter}i${i}`;
    await rows.insertOne({ _id, name: _id, n: i });
    say(`insert ${_id}`);
    await rows.updateOne({ _id: counter }, { $inc: { n: 1 } });
    say(`count ${counter} ${i}`);
  }
}

/** Inserts pairs of rows in transactions, and sometimes removes an old pair. */
async function insertPairs(writer: string): Promise<void> {
  for (let i = 1; ; i++) {
    const pair = `r${round}t${writer}p${i}`;
    const gone = i % 3 === 0 ? `r${round}t${writer}p${i - 1}` : undefined;
    await transaction(async (session) => {
      for (const side of ['a', 'b']) {
        await rows.insertOne({ _id: pair + side, name: pair + side, n: i, pair }, { session });
      }
      if (gone) await rows.deleteMany({ pair: gone }, { session });
    });
    say(`pair ${pair}`);
    if (gone) say(`gone ${gone}`);
  }
}

/** A writer that fails twice in one write, because the thread died, continues under another name. */
async function writeOn(writer: number): Promise<void> {
  const write = writer % 2 === 0 ? insertAndCount : insertPairs;
  for (let life = 0; ; life++) {
    try {
      await write(`${writer}l${life}`);
    } catch (error) {
      if (!isCutOff(error)) throw error;
    }
  }
}

const isCutOff = (error: unknown): boolean => error instanceof MongoError || isBrokenSocket(error);

let stream = rows.watch([], { batchSize: 100 });

/** Prints received events; reopens the stream after errors that the driver does not handle itself. */
async function follow(): Promise<void> {
  for (;;) {
    try {
      for await (const { _id } of stream) say(`seen ${(_id as { _data: string })._data}`);
    } catch (error) {
      if (!isCutOff(error)) throw error;
      stream = rows.watch([], { batchSize: 100, startAfter: stream.resumeToken });
    }
  }
}

process.stdin.once('data', () => void running.kill().then(() => say('thread killed')));
// Opens it, before the first write.
await stream.tryNext();
say('started');
void follow();
await Promise.all(Array.from({ length: 32 }, (_, writer) => writeOn(writer)));
