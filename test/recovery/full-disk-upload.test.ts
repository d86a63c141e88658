import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { runOn, smallDisks } from './small-disk.ts';

let folder: string;
let program: BuiltProgram;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-full-upload-'));
  program = await buildProgram({
    gateway: 'test/recovery/upload-gateway.ts',
    'embedded-worker': 'src/embedded/worker.ts',
  });
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await program.remove();
});

describe.each(smallDisks(1))('an upload that fills the disk, $name', (disk) => {
  it('is answered with a clear 503, leaves no part of the file, and the next upload is stored', async () => {
    const small = join(folder, disk.name.replaceAll(' ', '-'));
    await mkdir(small);
    const output = await runOn(disk, small, [`"${process.execPath}" "${join(program.folder, 'gateway.js')}" "$1"`]);
    const { failures, kept, ...answers } = JSON.parse(output) as { failures: number[]; kept: number };
    expect(answers).toEqual({
      large: {
        status: 503,
        retryAfter: '2',
        body: { status: 'error', code: 500000, message: 'The file storage is full: nothing was stored.' },
      },
      left: [],
      small: 200,
    });
    // An upload that fails while the store is unavailable may have a record, so its bytes stay.
    expect(failures.every((status) => status === 503)).toBe(true);
    expect(kept).toBeGreaterThanOrEqual(1);
    expect(kept).toBeLessThanOrEqual(1 + failures.length);
  }, 120_000);
});
