import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChangeLog, openChangeLog } from '../../src/embedded/storage/change-log/change-log.ts';
import type { ChangeRecord } from '../../src/embedded/storage/change-log/change-log-entry.ts';
import { StorageFailure } from '../../src/embedded/storage/file/disk-space.ts';
import { createWriteQueue, type WriteQueue } from '../../src/embedded/storage/group-commit.ts';
import { openStorage, type Storage } from '../../src/embedded/storage/storage.ts';

let folder: string;
let storage: Storage;
let log: ChangeLog;
let queue: WriteQueue;
/** Flushes that are held back. */
let flushes: ((error?: Error) => void)[] | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-log-'));
  storage = openStorage({ folder, isMemory: true });
  const { flush } = storage;
  flushes = undefined;
  storage.flush = (done) => (flushes ? void flushes.push(done) : flush(done));
  log = openChangeLog(storage);
  queue = createWriteQueue({ storage, onCommit: log.committed, onAbort: log.revert });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

const dropOf = (name: string): ChangeRecord => ({ kind: 'drop', ns: `db.${name}`, payload: [] });
const namesAfter = (key: Buffer): string[] => log.read(key, 100).map(({ ns }) => ns.slice(3));

describe('the change log', () => {
  it('shows a change only once its commit is on disk', async () => {
    const start = log.end;
    flushes = [];
    const heard: string[][] = [];
    log.onMore(() => heard.push(namesAfter(start)));
    const first = queue.run(() => log.append([dropOf('a')]));
    await turn();
    const second = queue.run(() => log.append([dropOf('b'), dropOf('c')]));
    await turn();
    await turn();
    expect(namesAfter(start)).toEqual([]);
    flushes.shift()!();
    await first;
    expect(namesAfter(start)).toEqual(['a']);
    // Writes that arrived during a flush are committed after it.
    await turn();
    flushes.shift()!();
    await second;
    expect(heard).toEqual([['a'], ['a', 'b', 'c']]);
  });

  it('shows no change of a failed flush', async () => {
    const start = log.end;
    flushes = [];
    const write = queue.run(() => log.append([dropOf('a')]));
    await turn();
    await turn();
    flushes.shift()!(new Error('I/O'));
    await expect(write).rejects.toThrow('takes no writes');
    expect(namesAfter(start)).toEqual([]);
  });

  it('has one id, even if the id could not be stored when the log was opened', () => {
    const older = Buffer.from(log.end.subarray(0, 12));
    storage.commit(() => storage.putChange(Buffer.from([0]), older));
    const { commit } = storage;
    storage.commit = () => {
      throw new StorageFailure('no page');
    };
    const opened = openChangeLog(storage);
    expect(opened.id).toHaveLength(4);
    storage.commit = commit;
    // A failed commit reads the start of the log again, which must not create another id.
    opened.revert();
    expect(() => opened.assertReached(opened.end, opened.id)).not.toThrow();
    expect(storage.changes.get(Buffer.from([0]))).toHaveLength(12);
    const again = openChangeLog(storage);
    expect(openChangeLog(storage).id).toEqual(again.id);
    expect(() => again.assertReached(again.end, log.id)).toThrow('no longer in the log');
  });

  it('contains no change of a failed commit', async () => {
    const start = log.end;
    const together = await Promise.allSettled([
      queue.run(() => log.append([dropOf('a')])),
      queue.run(() => {
        log.append([dropOf('b')]);
        throw new StorageFailure('no page');
      }),
    ]);
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await queue.run(() => log.append([dropOf('c')]));
    expect(namesAfter(start)).toEqual(['c']);
    expect([...storage.changes.getKeys({})].filter((key) => key.length > 1)).toHaveLength(1);
  });

  it('returns the same changes from memory and from disk', async () => {
    const start = log.end;
    for (let i = 0; i < 300; i++) await queue.run(() => log.append([dropOf(`${i}`), dropOf(`${i}b`)]));
    const reopened = openChangeLog(storage);
    for (const from of [start, ...log.read(start, 5).map(({ key }) => key), log.read(start, 1000).at(-1)!.key]) {
      for (const count of [1, 7, 1000]) expect(reopened.read(from, count)).toEqual(log.read(from, count));
    }
  });

  it('keeps a bounded number of changes in memory, however small they are', async () => {
    const fromDisk = vi.spyOn(storage.changes, 'getRange');
    const start = log.end;
    await queue.run(() => log.append(Array.from({ length: 10_000 }, () => dropOf('a'))));
    expect(log.read(start, 1)).toHaveLength(1);
    expect(fromDisk).toHaveBeenCalledTimes(1);
    const [, recent] = [...log.read(start, 9_000)].slice(-2);
    expect(log.read(recent!.key, 10_000)).toHaveLength(1_000);
    await queue.run(() => log.append([dropOf('b')]));
    expect(namesAfter(log.read(recent!.key, 1_000).at(-1)!.key)).toEqual(['b']);
    expect(log.read(start, 20_000)).toHaveLength(10_001);
    fromDisk.mockClear();
    for (let i = 0; i < 10; i++) await queue.run(() => log.append(Array.from({ length: 1_000 }, () => dropOf('c'))));
    const newest = log.read(recent!.key, 20_000).at(-500)!;
    expect(fromDisk).toHaveBeenCalledTimes(1);
    expect(log.read(newest.key, 1_000)).toHaveLength(499);
    expect(fromDisk).toHaveBeenCalledTimes(1);
  });

  it('can be read from its end when its beginning could not be written to disk', async () => {
    const { commit } = storage;
    await storage.changes.clearAsync();
    storage.commit = () => {
      throw new StorageFailure('no room');
    };
    vi.useFakeTimers({ now: Date.now() - 10_000, toFake: ['Date'] });
    const early = openChangeLog(storage);
    storage.commit = commit;
    storage.commit(() => early.append([dropOf('a')]));
    vi.useRealTimers();
    const late = openChangeLog(storage);
    expect(late.read(late.end, 1)).toEqual([]);
    expect(openChangeLog(storage).end).toEqual(late.end);
    storage.commit(() => late.append([dropOf('b')]));
    const end = late.end;
    late.committed()?.();
    expect(late.read(end, 10).map(({ ns }) => ns)).toEqual(['db.b']);
  });

  it('is read and trimmed in small batches where changes are large', async () => {
    const start = log.end;
    const insert: ChangeRecord = { kind: 'insert', ns: 'db.a', payload: [Buffer.alloc(1024 * 1024)] };
    for (let i = 0; i < 20; i++) await queue.run(() => log.append([insert]));
    const behind = log.read(start, 64);
    expect(behind.length).toBeLessThan(8);
    expect(log.read(behind.at(-1)!.key, 1)[0]!.key).not.toEqual(behind.at(-1)!.key);
    expect(await queue.run(() => log.trim(30, () => true))).toBe(19);
    expect(log.oldest()!.key).toEqual(log.end);
  });

  it('is trimmed from the oldest change, never the newest, and reports what is lost', async () => {
    const start = log.end;
    for (const name of ['a', 'b', 'c']) await queue.run(() => log.append([dropOf(name)]));
    const [a, b] = log.read(start, 3).map(({ key }) => key);
    expect(await queue.run(() => log.trim(10, ({ ns }) => ns !== 'db.b'))).toBe(1);
    expect(() => log.read(start, 1)).toThrow(expect.objectContaining({ code: 286 }));
    expect(namesAfter(a!)).toEqual(['b', 'c']);
    expect(await queue.run(() => log.trim(10, () => true))).toBe(1);
    expect(namesAfter(b!)).toEqual(['c']);
    expect(await queue.run(() => log.trim(10, () => true))).toBe(0);
    const failed = queue.run(() => {
      log.append([dropOf('d')]);
      log.trim(1, () => true);
      throw new StorageFailure('no page');
    });
    await expect(failed).rejects.toThrow();
    expect(namesAfter(b!)).toEqual(['c']);
  });
});
