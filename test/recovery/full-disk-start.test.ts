import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { OWN_FILE_SYSTEM, runOn, smallDisks } from './small-disk.ts';

let folder: string;
let program: BuiltProgram;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-full-start-'));
  program = await buildProgram({
    main: 'src/main.ts',
    'embedded-worker': 'src/embedded/worker.ts',
    'full-disk-start': 'test/recovery/full-disk-start.ts',
  });
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await program.remove();
});

const disks = smallDisks().filter(({ name }) => name === OWN_FILE_SYSTEM);

describe.runIf(disks.length > 0)('a gateway that starts in a new folder on a full disk', () => {
  it('refuses to start with a clear message, however little space is left, and starts once there is space', async () => {
    const [disk] = disks;
    const small = join(folder, 'small');
    await mkdir(small);
    const [start, main] = ['full-disk-start', 'main'].map((name) => join(program.folder, `${name}.js`));
    const freeKib = [0, 4, 40, 100, 600, 3000];
    const output = await runOn(disk!, small, [
      `rm -f "$1"/ballast-*; "${process.execPath}" "${start}" "${main}" "$1" ${freeKib.join(' ')}`,
    ]);
    const seen = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(seen.map(({ left }) => Number(left))).toEqual(freeKib);
    for (const { full, later } of seen) {
      expect(full).toEqual({ end: 'refused, 1', errors: expect.stringMatching(/^[^\n]*disk[^\n]* is full[^\n]*\n$/) });
      expect(later).toEqual({ end: 'ready 200, 0', errors: '' });
    }
  }, 240_000);
});
