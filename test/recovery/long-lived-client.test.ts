import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ChangeStream, type ChangeStreamInsertDocument, type Collection, MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';
import { patchDriver } from '../../src/store/driver-patches.ts';
import { isFullLoad } from '../support/full-load.ts';

// As in the gateway: without it an operation may wait forever if its socket closes during a write.
patchDriver();

const DEATHS = Number(process.env.THREAD_DEATHS ?? (isFullLoad ? 20 : 6));
const WRITERS = 24;
/** Writes that must be acknowledged between two deaths. */
const ENOUGH = 60;
const RECOVERS_WITHIN_MS = 30_000;

interface Row {
  _id: string;
  n: number;
}

/** In lower case, because the driver lower-cases the hosts of a replica set, including socket paths. */
const folder = `/tmp/colloquy-client-${process.pid}`;
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A store that is restarted at the same address whenever its thread dies. */
async function openStore(path: string) {
  let deaths = 0;
  let current!: EmbeddedStore;
  const open = async (): Promise<void> => {
    current = await startEmbeddedStore({ folder: path, onExit: () => void open().then(() => deaths++) });
  };
  await open();
  return {
    uri: current.uri,
    deaths: () => deaths,
    kill: () => current.kill(),
    close: () => current.close(),
  };
}

/** Repeatedly inserts one row, or two in a transaction; continues after a failed write. */
async function writeUntil(client: MongoClient, writer: number, isOver: () => boolean, acknowledged: Set<string>) {
  const rows: Collection<Row> = client.db('long').collection('rows');
  for (let n = 0; !isOver(); n++) {
    const ids = writer % 3 === 0 ? [`${writer}/${n}a`, `${writer}/${n}b`] : [`${writer}/${n}`];
    try {
      if (ids.length === 1) await rows.insertOne({ _id: ids[0]!, n });
      else {
        await client.withSession((session) =>
          session.withTransaction(async () => {
            for (const _id of ids) await rows.insertOne({ _id, n }, { session });
          }),
        );
      }
      for (const id of ids) acknowledged.add(id);
    } catch {
      await pause(10);
    }
  }
}

const STREAM = { maxAwaitTimeMS: 100 };

/** Adds inserted ids to `seen`; after an error, another stream resumes after the last event. */
async function follow(first: ChangeStream<Row>, rows: Collection<Row>, isOver: () => boolean, seen: string[]) {
  let stream = first;
  while (!isOver()) {
    try {
      const event = (await stream.tryNext()) as ChangeStreamInsertDocument<Row> | null;
      if (event) seen.push(event.documentKey._id);
    } catch {
      const { resumeToken } = stream;
      await stream.close();
      await pause(10);
      stream = rows.watch([], { ...STREAM, startAfter: resumeToken });
    }
  }
  await stream.close();
}

describe('a client held open while the thread of the store dies under its writes', () => {
  it.each([
    ['connected directly', (uri: string) => uri],
    ['connected to the replica set', (uri: string) => uri.replace('directConnection=true', 'replicaSet=colloquy')],
  ])(
    `recovers from ${DEATHS} deaths by itself, with every acknowledged write, %s`,
    async (name, uriOf) => {
      const path = join(folder, String(name.length));
      await mkdir(path, { recursive: true });
      const store = await openStore(path);
      const client = await MongoClient.connect(uriOf(store.uri));
      const rows: Collection<Row> = client.db('long').collection('rows');
      await rows.createIndex({ n: 1 });

      const acknowledged = new Set<string>();
      const seen: string[] = [];
      let isOver = false;
      let isRead = false;
      const stream: ChangeStream<Row> = rows.watch([], STREAM);
      expect(await stream.tryNext()).toBeNull();
      const following = follow(stream, rows, () => isRead, seen);
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        writeUntil(client, writer, () => isOver, acknowledged),
      );
      for (let death = 1; death <= DEATHS; death++) {
        const enough = acknowledged.size + ENOUGH;
        const isWriting = () => acknowledged.size >= enough;
        await expect.poll(isWriting, { timeout: RECOVERS_WITHIN_MS, interval: 5 }).toBe(true);
        await store.kill();
        await expect.poll(store.deaths, { timeout: RECOVERS_WITHIN_MS, interval: 5 }).toBe(death);
      }
      const enough = acknowledged.size + ENOUGH;
      await expect.poll(() => acknowledged.size >= enough, { timeout: RECOVERS_WITHIN_MS }).toBe(true);
      isOver = true;
      await Promise.all(writers);

      const present = new Set((await rows.find().toArray()).map(({ _id }) => _id));
      expect([...acknowledged].filter((id) => !present.has(id))).toEqual([]);
      const halves = [...present].filter((id) => /[ab]$/.test(id)).map((id) => id.slice(0, -1));
      expect(halves.filter((half) => !present.has(`${half}a`) || !present.has(`${half}b`))).toEqual([]);
      await expect.poll(() => new Set(seen).size, { timeout: RECOVERS_WITHIN_MS }).toBe(present.size);
      expect(seen.length).toBe(present.size);
      isRead = true;
      await following;
      expect(await client.db('long').command({ validate: 'rows' })).toMatchObject({ valid: true });
      await client.close();
      await store.close();
      await rm(path, { recursive: true, force: true });
    },
    (DEATHS + 4) * 30_000,
  );
});
