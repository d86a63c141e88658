import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore } from '../support/store.ts';
import { buildStoreProgram, type StoreProgram } from './program.ts';

let program: StoreProgram;
beforeAll(async () => {
  program = await buildStoreProgram();
});
afterAll(() => program.remove());

describe('npm run store', () => {
  it('prints its usage, and that of each command', async () => {
    const all = await program.run(['--help']);
    expect(all.code).toBe(0);
    for (const command of ['check', 'compact', 'backup', 'restore', 'export', 'import', 'shard']) {
      expect(all.out).toContain(`npm run store -- ${command}`);
      const { code, out } = await program.run([command, '--help']);
      expect([code, out.startsWith(`npm run store -- ${command}`)]).toEqual([0, true]);
    }
  });

  it.each([
    [[], 'Maintains stored data'],
    [['toString'], "There is no command 'toString'"],
    [['check', '--quick'], "Unknown option '--quick'"],
    [['backup'], 'An argument is missing'],
    [['check', 'a', 'b'], "'b' is one argument too many"],
    [['compact', '--data-dir'], '--data-dir'],
    [['shard'], 'Set MONGODB_URI or --uri to a router'],
  ])('rejects invalid arguments: %j', async (args, text) => {
    const { code, out, err } = await program.run(args);
    expect([code, out + err]).toEqual([2, expect.stringContaining(text)]);
  });

  it.each([
    [['check', 'nowhere'], 'nowhere contains no store.'],
    [['compact'], './data contains no store.'],
    [['backup', 'copy'], './data contains no store.'],
    [['restore', 'nowhere'], 'nowhere is not a backup.'],
    [['export', 'exported'], './data contains no store.'],
    [['import', 'nowhere'], 'nowhere is neither an export nor a data folder.'],
  ])('reports a missing store, backup or export: %j', async (args, text) => {
    expect(await program.run(args)).toMatchObject({ code: 1, out: '', err: `${text}\n` });
  });

  it('shards only a database that a router serves', async () => {
    const store = await openTestStore();
    const { code, out, err } = await program.run(['shard', '--uri', store.uri]);
    await store.close();
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('is not on a sharded cluster: the URI must name routers (mongos)');
  });

  it('never overwrites a folder', async () => {
    const full = join(program.folder, 'full');
    await mkdir(full);
    await writeFile(join(full, 'letter'), 'dear');
    const data = join(program.folder, 'separate-data', 'store');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'format.json'), '{"store":"colloquy-embedded","format":1}');
    for (const command of ['backup', 'export']) {
      const { code } = await program.run([command, full, '--data-dir', join(data, '..')]);
      expect(code).toBe(1);
    }
    expect(await readFile(join(full, 'letter'), 'utf8')).toBe('dear');
  });
});
