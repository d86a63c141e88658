import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { isFullLoad } from '../support/full-load.ts';
import { runOn, smallDisks } from './small-disk.ts';

const PHASES = ['fill', 'die', 'read', 'read', 'upgrade', 'recover', 'check'];

let folder: string;
let program: BuiltProgram;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-full-'));
  program = await buildProgram({
    store: 'test/recovery/full-disk-store.ts',
    'embedded-worker': 'src/embedded/worker.ts',
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await program.remove();
});

const WHOLE = { missing: [], isFound: true, valid: true, errors: [] };

describe.each(smallDisks())('a store whose disk, $name, is full', (disk) => {
  it('refuses writes with a clear message, serves reads, loses nothing even when killed, and accepts writes once there is space', async () => {
    const small = join(folder, disk.name.replaceAll(' ', '-'));
    await mkdir(small);
    const log = `${small}.log`;
    const store = join(program.folder, 'store.js');
    const output = await runOn(
      disk,
      small,
      PHASES.map((phase) => `"${process.execPath}" "${store}" ${phase} "$1" "${log}"`),
    );
    const [fill, die, read, readAgain, upgrade, recover, check] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(fill).toMatchObject({
      refusal: {
        code: 14031,
        message: expect.stringMatching(/^the disk of the data folder is full, nothing was written/),
      },
      whileFull: WHOLE,
      codes: { update: 14031, transaction: 14031, index: 14031 },
      indexes: 2,
      afterwards: WHOLE,
    });
    expect(fill).toHaveProperty('whileFull.acknowledged', fill?.count);
    const { inserted } = fill!.bulk as { inserted: number };
    expect(inserted).toBeGreaterThan(0);
    const message = expect.stringMatching(/^the disk of the data folder is full, not everything was written/);
    expect(fill?.bulk).toEqual({ code: 14031, inserted, insertedCount: inserted, index: inserted, message });
    expect(die).toMatchObject({ phase: 'die', before: WHOLE });
    const reading = { ...WHOLE, second: expect.stringContaining('is in use'), code: 14031 };
    expect(read).toMatchObject({ phase: 'read', ...reading });
    expect(readAgain).toMatchObject({ phase: 'read', ...reading });
    expect(upgrade).toMatchObject({ phase: 'upgrade', ...WHOLE, code: 14031, format: 2 });
    expect(recover).toMatchObject({ phase: 'recover', before: WHOLE, format: 3, afterwards: WHOLE });
    expect(check).toMatchObject({ phase: 'check', ...WHOLE });
    if (isFullLoad) console.log(`${disk.name}: ${check!.acknowledged} acknowledged writes, none missing`);
  }, 600_000);
});
