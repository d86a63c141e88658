import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { type Document, MongoClient, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EmbeddedStoreOptions } from '../../src/embedded/index.ts';
import { openChangeLog } from '../../src/embedded/storage/change-log/change-log.ts';
import type { ChangeRecord } from '../../src/embedded/storage/change-log/change-log-entry.ts';
import { openStorage } from '../../src/embedded/storage/storage.ts';
import { type Item, idsOf, type Stream, take } from './change-stream-support.ts';
import { startEngine } from './engine-support.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-history-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HISTORY_LOST = {
  code: 286,
  codeName: 'ChangeStreamHistoryLost',
  errorLabels: ['NonResumableChangeStreamError'],
};

/** Runs on a new store, or on a folder that several runs share. */
async function withStore(
  options: Partial<EmbeddedStoreOptions>,
  run: (client: MongoClient) => Promise<void>,
): Promise<void> {
  const engine = await startEngine(options);
  const client = await MongoClient.connect(engine.uri);
  try {
    await run(client);
  } finally {
    await client.close();
    await (options.folder ? engine.stop() : engine.close());
  }
}

const itemsOf = (client: MongoClient) => client.db('history').collection<Item>('items');

function watchFrom(client: MongoClient, options: Document): Stream {
  return itemsOf(client).watch([], { maxAwaitTimeMS: 50, ...options }) as unknown as Stream;
}

describe('the change history', () => {
  it('survives a restart, and cluster time continues from where it was', async () => {
    let before: Document[] = [];
    await withStore({ folder }, async (client) => {
      const stream = watchFrom(client, {});
      await stream.tryNext();
      await itemsOf(client).insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
      before = await take(stream, 3);
    });
    await withStore({ folder }, async (client) => {
      await itemsOf(client).insertOne({ _id: 4 });
      const events = await take(watchFrom(client, { resumeAfter: before[0]!._id }), 3);
      expect(events.slice(0, 2)).toEqual(before.slice(1));
      expect(idsOf(events)).toEqual([2, 3, 4]);
      const [last, next] = [before[2]!.clusterTime, events[2]!.clusterTime] as [Timestamp, Timestamp];
      expect(next.greaterThan(last)).toBe(true);
    });
  });

  it('of a new store can be read from the time in its first reply', async () => {
    await withStore({}, async (client) => {
      const { operationTime } = (await client.db('history').command({ ping: 1 })) as { operationTime: Timestamp };
      const stream = watchFrom(client, { startAtOperationTime: operationTime });
      await itemsOf(client).insertOne({ _id: 1 });
      expect(idsOf(await take(stream, 1))).toEqual([1]);
      const before = new Timestamp({ t: operationTime.t - 1, i: 1 });
      await expect(watchFrom(client, { startAtOperationTime: before }).next()).rejects.toMatchObject(HISTORY_LOST);
    });
  });

  it('keeps increasing in time when the clock is set back', async () => {
    const log = await openLog(join(folder, 'clock'));
    try {
      vi.useFakeTimers({ now: 2_000_000_000_000, toFake: ['Date'] });
      const times = [0, -5000, 500, 1500].map((shift) => {
        vi.setSystemTime(2_000_000_000_000 + shift);
        log.commit({ kind: 'drop', ns: 'a.b', payload: [] });
        return [log.time.t, log.time.i];
      });
      expect(times).toEqual([
        [2_000_000_000, 1],
        [2_000_000_000, 2],
        [2_000_000_000, 3],
        [2_000_000_001, 1],
      ]);
    } finally {
      vi.useRealTimers();
      await log.close();
    }
  });

  it('of older data begins with the first start of a version that keeps it', async () => {
    const older = join(folder, 'older');
    await withStore({ folder: older }, (client) =>
      itemsOf(client)
        .insertOne({ _id: 1 })
        .then(() => undefined),
    );
    const root = open<Buffer, Buffer>({ path: join(older, 'store.mdb'), noSubdir: true, keyEncoding: 'binary' });
    await root.openDB({ name: 'changes', keyEncoding: 'binary' }).drop();
    await root.close();
    await withStore({ folder: older }, async (client) => {
      const stream = watchFrom(client, {});
      await stream.tryNext();
      await itemsOf(client).updateOne({ _id: 1 }, { $set: { a: 1 } });
      const [event] = await take(stream, 1);
      expect(event!.operationType).toBe('update');
      const past = new Timestamp({ t: event!.clusterTime.t - 100, i: 1 });
      await expect(watchFrom(client, { startAtOperationTime: past }).next()).rejects.toMatchObject(HISTORY_LOST);
    });
  });

  it('is bounded in size: drops the oldest changes and rejects streams that need them', async () => {
    await withStore({ historyBytes: 512 * 1024 }, async (client) => {
      const items = itemsOf(client);
      const stream = watchFrom(client, {});
      await stream.tryNext();
      const behind = watchFrom(client, { batchSize: 1 });
      await behind.tryNext();
      await items.insertOne({ _id: 'first' });
      const [first] = await take(stream, 1);
      const text = 'x'.repeat(2000);
      let last: Document | undefined;
      for (let batch = 0; batch < 16; batch++) {
        await items.insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: batch * 50 + i, text })));
        // A stream that keeps up is not affected.
        last = (await take(stream, 50)).at(-1);
      }
      await expect
        .poll(async () => {
          const resumed = watchFrom(client, { resumeAfter: first!._id });
          return resumed.next().then(
            () => undefined,
            ({ code, codeName, errorLabels }) => ({ code, codeName, errorLabels }),
          );
        })
        .toEqual(HISTORY_LOST);
      const fallenBehind = (async () => {
        for (let i = 0; i < 900; i++) await behind.next();
      })();
      await expect(fallenBehind).rejects.toMatchObject(HISTORY_LOST);
      const resumed = watchFrom(client, { resumeAfter: last!._id });
      await items.insertOne({ _id: 'last' });
      expect(idsOf(await take(resumed, 1))).toEqual(['last']);
    });
  });

  it('is bounded in age but keeps the newest change, so a stream that has read everything can resume', async () => {
    await withStore({ historyMs: 200 }, async (client) => {
      const stream = watchFrom(client, {});
      await stream.tryNext();
      await itemsOf(client).insertMany([{ _id: 1 }, { _id: 2 }]);
      const [first, second] = await take(stream, 2);
      await expect
        .poll(() =>
          watchFrom(client, { startAtOperationTime: first!.clusterTime })
            .next()
            .then(
              () => undefined,
              ({ code }) => code,
            ),
        )
        .toBe(HISTORY_LOST.code);
      const resumed = watchFrom(client, { resumeAfter: second!._id });
      await resumed.tryNext();
      await itemsOf(client).insertOne({ _id: 3 });
      expect(idsOf(await take(resumed, 1))).toEqual([3]);
    });
  });
});

async function openLog(path: string) {
  await mkdir(path);
  const storage = openStorage({ folder: path, isMemory: true });
  const log = openChangeLog(storage);
  return {
    commit(record: ChangeRecord) {
      storage.commit(() => log.append([record]));
      log.committed()?.();
    },
    get time() {
      return log.time;
    },
    close: () => storage.close(),
  };
}
