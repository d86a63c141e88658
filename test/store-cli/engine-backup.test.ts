import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedStore, startEmbeddedStore } from '../../src/embedded/index.ts';
import { buildStoreProgram, type StoreProgram, withStore } from './program.ts';

let program: StoreProgram;
const cleanups: Array<() => Promise<void>> = [];
beforeAll(async () => {
  program = await buildStoreProgram();
});
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});
afterAll(() => program.remove());

let folders = 0;
const freshFolder = (): string => join(program.folder, `folder-${++folders}`);

/** A data folder with keys, files and a store to which two clients write until `stop` is called. */
async function startWriting(): Promise<{ folder: string; acknowledged: () => number; stop(): Promise<void> }> {
  const folder = freshFolder();
  await mkdir(join(folder, 'files', 'deep'), { recursive: true });
  await writeFile(join(folder, 'keys.json'), '{"API_KEY":"k"}', { mode: 0o600 });
  await writeFile(join(folder, 'files', 'deep', 'picture'), Buffer.alloc(5000, 7));
  const store: EmbeddedStore = await startEmbeddedStore({ folder: join(folder, 'store') });
  const client = await MongoClient.connect(store.uri);
  const rows = client.db('colloquy').collection<{ _id: string; pair: number; text: string }>('rows');
  await rows.createIndex({ pair: 1 });
  let isStopped = false;
  let pairs = 0;
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; !isStopped; i++) {
      const row = (side: string) => ({ _id: `${writer}/${i}${side}`, pair: i, text: 'x'.repeat(500) });
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await rows.insertOne(row('a'), { session });
          await rows.insertOne(row('b'), { session });
        }),
      );
      pairs++;
    }
  };
  const writing = Promise.all([1, 2].map(write));
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await writing;
    await client.close();
    await store.close();
  };
  cleanups.push(stop);
  while (pairs < 50) await new Promise((resolve) => setTimeout(resolve, 10));
  return { folder, acknowledged: () => pairs, stop };
}

async function pairsIn(db: Db): Promise<number> {
  const ids = new Set((await db.collection<{ _id: string }>('rows').find().toArray()).map(({ _id }) => _id));
  for (const id of ids) expect(ids.has(id.replace(/[ab]$/, (side) => (side === 'a' ? 'b' : 'a')))).toBe(true);
  return ids.size / 2;
}

/** Changes a document and returns the resume token of that change. */
async function tokenOfChange(db: Db): Promise<unknown> {
  const changes = db.watch();
  const next = changes.next();
  await db.collection('rows').updateOne({}, { $inc: { pair: -1 } });
  const { _id } = await next;
  await changes.close();
  return _id;
}

/** The resume token of the latest position, without a change of its own. */
async function latestToken(db: Db): Promise<unknown> {
  const changes = db.watch();
  expect(await changes.tryNext()).toBeNull();
  const token = changes.resumeToken;
  await changes.close();
  return token;
}

const expectLost = (db: Db, token: unknown): Promise<void> =>
  expect(db.watch([], { resumeAfter: token }).next()).rejects.toMatchObject({ code: 286 });

describe('backup and restore', { timeout: 120_000 }, () => {
  it('copies a consistent snapshot of a store under writes, with keys and files', async () => {
    const { folder, acknowledged, stop } = await startWriting();
    const backup = freshFolder();
    const before = acknowledged();
    const { code, out } = await program.run(['backup', backup, '--data-dir', folder]);
    expect([code, out]).toEqual([0, expect.stringContaining(`while process ${process.pid} served it`)]);
    const after = acknowledged();
    expect(after).toBeGreaterThan(before);
    expect(await program.run(['check', backup])).toMatchObject({ code: 0 });
    expect((await readdir(backup)).sort()).toEqual(['files', 'keys.json', 'store']);
    expect((await stat(join(backup, 'store', 'store.mdb'))).mode & 0o077).toBe(0);

    // The source still accepts writes: they do not reach the restored copy.
    const target = freshFolder();
    expect(await program.run(['restore', backup, '--data-dir', target])).toMatchObject({ code: 0 });
    expect(await readFile(join(target, 'keys.json'), 'utf8')).toBe('{"API_KEY":"k"}');
    expect((await readFile(join(target, 'files', 'deep', 'picture'))).length).toBe(5000);
    const pairs = await withStore(target, pairsIn);
    expect(pairs).toBeGreaterThanOrEqual(before);
    await stop();
    expect(pairs).toBeLessThan(await withStore(folder, pairsIn));
  });

  it('check and export read a consistent snapshot of a store under writes', async () => {
    const { folder } = await startWriting();
    expect(await program.run(['check', '--data-dir', folder])).toMatchObject({ code: 0 });
    const exported = freshFolder();
    expect(await program.run(['export', exported, '--data-dir', folder])).toMatchObject({ code: 0 });
    const target = freshFolder();
    expect(await program.run(['import', exported, '--data-dir', target])).toMatchObject({ code: 0 });
    expect(await withStore(target, pairsIn)).toBeGreaterThan(0);
  });

  it('changes neither a served nor a filled folder', async () => {
    const { folder, stop } = await startWriting();
    const backup = freshFolder();
    expect(await program.run(['backup', backup, '--data-dir', folder])).toMatchObject({ code: 0 });
    const served = `Process ${process.pid} serves`;
    for (const args of [
      ['restore', backup, '--force'],
      ['import', backup],
    ]) {
      const { code, err } = await program.run([...args, '--data-dir', folder]);
      expect([code, err]).toEqual([1, expect.stringContaining(served)]);
    }
    const moved = await program.run(['import', folder, '--data-dir', freshFolder()]);
    expect([moved.code, moved.err]).toEqual([1, expect.stringContaining(served)]);
    const compacted = await program.run(['compact', '--data-dir', folder]);
    expect([compacted.code, compacted.err]).toEqual([1, expect.stringContaining('stop it, then compact')]);
    await stop();

    const again = await program.run(['backup', backup, '--data-dir', folder]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')]);
    const inside = await program.run(['backup', join(folder, 'copy'), '--data-dir', folder]);
    expect([inside.code, inside.err]).toEqual([1, expect.stringContaining('inside the data folder')]);
    const link = freshFolder();
    await symlink(folder, link);
    const throughLink = await program.run(['backup', join(folder, 'copy'), '--data-dir', link]);
    expect([throughLink.code, throughLink.err]).toEqual([1, expect.stringContaining('inside the data folder')]);
    for (const command of ['restore', 'import']) {
      expect(await program.run([command, backup, '--data-dir', folder])).toMatchObject({ code: 1 });
    }
    expect(await withStore(folder, pairsIn)).toBeGreaterThanOrEqual(50);
  });

  it.each(['backup', 'export'])('of several concurrent runs of %s to one target, one succeeds', async (command) => {
    const { folder, stop } = await startWriting();
    for (let i = 0; i < 300; i++) await writeFile(join(folder, 'files', `${i}`), randomBytes(2000));
    await stop();
    const target = freshFolder();
    const runs = await Promise.all([1, 2, 3].map(() => program.run([command, target, '--data-dir', folder])));
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    for (const { code, out, err } of runs) {
      if (code !== 0)
        expect([out, err]).toEqual(['', expect.stringContaining('already exists; nothing is overwritten')]);
    }
    expect((await readdir(program.folder)).filter((name) => name.includes('partial'))).toEqual([]);
    if (command === 'export') return;
    expect(await program.run(['check', target])).toMatchObject({ code: 0 });
    expect(await readdir(join(target, 'files'))).toHaveLength(301);
  });

  it('--force renames an existing folder and prints its new name', async () => {
    const { folder, stop } = await startWriting();
    await stop();
    const backup = freshFolder();
    expect(await program.run(['backup', backup, '--data-dir', folder])).toMatchObject({ code: 0 });
    const pairs = await withStore(folder, pairsIn);
    await withStore(folder, (db) => db.collection('rows').deleteMany({}));
    const { code, out } = await program.run(['restore', backup, '--force', '--data-dir', folder]);
    const aside = / is now in (.*)\.\n/.exec(out)?.[1];
    expect([code, aside]).toEqual([0, expect.stringContaining(`${folder}.before-`)]);
    expect(await withStore(folder, pairsIn)).toBe(pairs);
    expect(await withStore(aside!, pairsIn)).toBe(0);
  });

  it('--force leaves other folders next to the data folder unchanged', async () => {
    const { folder, stop } = await startWriting();
    await stop();
    const backup = freshFolder();
    expect(await program.run(['backup', backup, '--data-dir', folder])).toMatchObject({ code: 0 });
    await mkdir(`${folder}.restored`);
    await writeFile(join(`${folder}.restored`, 'mine'), '');
    expect(await program.run(['restore', backup, '--force', '--data-dir', folder])).toMatchObject({ code: 0 });
    expect(await readdir(`${folder}.restored`)).toEqual(['mine']);
  });

  it('the next start and the next restore report a restore that was interrupted before its last rename', async () => {
    const { folder, stop } = await startWriting();
    await stop();
    const backup = freshFolder();
    expect(await program.run(['backup', backup, '--data-dir', folder])).toMatchObject({ code: 0 });
    const left = join(program.folder, `.${basename(folder)}.restored`);
    await rename(folder, left);
    for (const force of [[], ['--force']]) {
      const { code, err } = await program.run(['restore', backup, ...force, '--data-dir', folder]);
      expect([code, err]).toEqual([1, expect.stringContaining(`rename it to ${folder}`)]);
    }
    await expect(withStore(folder, pairsIn)).rejects.toThrow(`rename ${left} to ${folder}`);
    await rm(folder, { recursive: true });
    await rename(left, folder);
    expect(await withStore(folder, pairsIn)).toBeGreaterThanOrEqual(50);
  });

  it('does not restore a damaged backup; resume tokens from before a restore are rejected', async () => {
    const { folder, stop } = await startWriting();
    await stop();
    const backup = freshFolder();
    expect(await program.run(['backup', backup, '--data-dir', folder])).toMatchObject({ code: 0 });
    const damaged = freshFolder();
    await cp(backup, damaged, { recursive: true });
    await writeFile(join(damaged, 'store', 'store.mdb'), Buffer.alloc(100_000));
    const target = freshFolder();
    const refused = await program.run(['restore', damaged, '--data-dir', target]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Nothing was restored')]);
    await expect(stat(target)).rejects.toThrow('ENOENT');
    expect((await readdir(program.folder)).filter((name) => name.includes('partial'))).toEqual([]);

    const token = await withStore(folder, tokenOfChange);
    expect(await program.run(['restore', backup, '--data-dir', target])).toMatchObject({ code: 0 });
    await withStore(target, (db) => expectLost(db, token));
  });

  it('a store started on a backup rejects resume tokens of the original, from before and after the backup', async () => {
    const { folder, stop } = await startWriting();
    await stop();
    const before = await withStore(folder, tokenOfChange);
    const backup = freshFolder();
    expect(await program.run(['backup', backup, '--data-dir', folder])).toMatchObject({ code: 0 });
    await withStore(backup, (db) => expectLost(db, before));
    // Take the second change: the first may be of the second in which the backup's log began.
    await withStore(folder, tokenOfChange);
    const since = await withStore(folder, tokenOfChange);
    await withStore(backup, (db) => expectLost(db, since));
    // A token without a change is rejected too, after the copy has passed its time with changes of its own.
    const seen = await withStore(folder, latestToken);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await withStore(backup, tokenOfChange);
    await withStore(backup, tokenOfChange);
    for (const token of [since, seen]) await withStore(backup, (db) => expectLost(db, token));
    await withStore(folder, async (db) => {
      const resumed = db.watch([], { resumeAfter: seen });
      expect(await resumed.tryNext()).toBeNull();
      await resumed.close();
    });
  });

  it('leaves nothing behind when the folder is not writable or the disk is full', async () => {
    const { folder, stop } = await startWriting();
    await stop();
    const locked = freshFolder();
    await writeFile(locked, 'a file');
    const { code } = await program.run(['backup', join(locked, 'copy'), '--data-dir', folder]);
    expect(code).toBe(1);
    await chmod(locked, 0o600);
    await rm(locked);

    // 200 KB when compressed: the limit is reached during the writes, or in the last one.
    await withStore(folder, async (db) => {
      await db.dropDatabase();
      await db.collection('noise').insertOne({ noise: randomBytes(200_000) });
    });
    for (const fileSize of [50_000, 150_000, 190_000, 199_000]) {
      const exported = freshFolder();
      const { code, err } = await program.run(['export', exported, '--gzip', '--data-dir', folder], { fileSize });
      expect([code, err]).toEqual([1, expect.stringContaining('EFBIG')]);
      expect((await readdir(program.folder)).filter((name) => name.includes(basename(exported)))).toEqual([]);
    }
  });
});
