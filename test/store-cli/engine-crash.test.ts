import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStoreProgram, type Ran, readExport, type StoreProgram, withStore } from './program.ts';

const ROUNDS = 3;
const ROWS = 3_000;

let program: StoreProgram;
let data: string;
let exported: string;
beforeAll(async () => {
  program = await buildStoreProgram();
  data = join(program.folder, 'data');
  exported = join(program.folder, 'exported');
  await withStore(data, async (db) => {
    const rows = db.collection('rows');
    await rows.createIndex({ n: 1 }, { unique: true });
    await rows.createIndex({ group: 1 });
    const many = (from: number) =>
      Array.from({ length: 1_000 }, (_, i) => ({ n: from + i, group: i % 7, text: `row ${i} `.repeat(30) }));
    for (let from = 0; from < 2 * ROWS; from += 1_000) await rows.insertMany(many(from));
    await rows.deleteMany({ n: { $gte: ROWS } });
  });
  expect(await program.run(['export', exported, '--data-dir', data])).toMatchObject({ code: 0 });
}, 120_000);
afterAll(() => program.remove());

/** The duration of a command, to spread the kills over it. */
async function measure(args: string[]): Promise<number> {
  const startedAt = performance.now();
  expect(await program.run(args)).toMatchObject({ code: 0 });
  return performance.now() - startedAt;
}

async function runAndKill(args: string[], afterMs: number): Promise<Ran> {
  const { child, ended } = program.start(args);
  await Promise.race([sleep(afterMs), ended]);
  child.kill('SIGKILL');
  return ended;
}

const countRows = (db: Db): Promise<number> => db.collection('rows').countDocuments();

describe('kill -9', () => {
  it('of a compaction leaves the store as it was or compacted', async () => {
    const folder = join(program.folder, 'compacted');
    await cp(data, folder, { recursive: true });
    const time = await measure(['compact', '--data-dir', folder]);
    for (let round = 1; round <= ROUNDS; round++) {
      await rm(folder, { recursive: true });
      await cp(data, folder, { recursive: true });
      await runAndKill(['compact', '--data-dir', folder], (time * round) / ROUNDS);
      expect(await program.run(['check', folder])).toMatchObject({ code: 0 });
      expect(await withStore(folder, countRows)).toBe(ROWS);
      // The start in withStore removed the leftovers.
      expect((await readdir(join(folder, 'store'))).sort()).toEqual(['format.json', 'store.mdb', 'store.mdb-lock']);
    }
  }, 300_000);

  it('of a backup or a restore leaves a complete folder or none', async () => {
    const [backup, target] = [join(program.folder, 'backup'), join(program.folder, 'restored')];
    const time = (await measure(['backup', backup, '--data-dir', data])) * 1.2;
    for (let round = 1; round <= ROUNDS; round++) {
      await rm(backup, { recursive: true, force: true });
      const { signal } = await runAndKill(['backup', backup, '--data-dir', data], (time * round) / ROUNDS);
      if (signal === null || (await readdir(program.folder)).includes('backup')) {
        expect(await program.run(['check', backup])).toMatchObject({ code: 0 });
      } else {
        expect(await program.run(['backup', backup, '--data-dir', data])).toMatchObject({ code: 0 });
      }
      await rm(target, { recursive: true, force: true });
      await runAndKill(['restore', backup, '--data-dir', target], (time * round) / ROUNDS);
      if (!(await readdir(program.folder)).includes('restored')) {
        expect(await program.run(['restore', backup, '--data-dir', target])).toMatchObject({ code: 0 });
      }
      expect(await withStore(target, countRows)).toBe(ROWS);
    }
    expect((await readdir(program.folder)).filter((name) => name.includes('partial'))).toEqual([]);
  }, 300_000);

  it('of an import leaves no store that a gateway would start on, and --resume completes it', async () => {
    const target = join(program.folder, 'imported');
    const time = await measure(['import', exported, '--data-dir', target]);
    for (let round = 1; round <= ROUNDS; round++) {
      await rm(target, { recursive: true, force: true });
      await runAndKill(['import', exported, '--data-dir', target], (time * round) / (ROUNDS + 1));
      const found = await readdir(target).catch((): string[] => []);
      if (found.includes('store.importing')) {
        expect(found).not.toContain('store');
        const refused = await program.run(['import', exported, '--data-dir', target]);
        expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--resume')]);
        // Interrupt the resumed import too.
        await runAndKill(['import', exported, '--resume', '--data-dir', target], time / 2);
      }
      if (!(await readdir(target).catch((): string[] => [])).includes('store')) {
        expect(await program.run(['import', exported, '--resume', '--data-dir', target])).toMatchObject({ code: 0 });
      }
      expect(await readdir(target)).toEqual(['store']);
      expect(await withStore(target, countRows)).toBe(ROWS);
      expect(await program.run(['check', target])).toMatchObject({ code: 0 });
    }
  }, 300_000);
});

describe('compact', { timeout: 120_000 }, () => {
  it('frees disk space and changes nothing else', async () => {
    const folder = join(program.folder, 'shrunk');
    await cp(data, folder, { recursive: true });
    const { out } = await program.run(['compact', '--data-dir', folder]);
    const [, before, after] = /([\d.]+) MiB before, ([\d.]+) MiB now/.exec(out) ?? [];
    expect(Number(after)).toBeLessThan(Number(before) * 0.8);
    const again = join(program.folder, 'exported-again');
    expect(await program.run(['export', again, '--data-dir', folder])).toMatchObject({ code: 0 });

    expect(await readExport(again)).toEqual(await readExport(exported));
  });
});
