import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../../src/store-cli/command.ts';
import { createFolder } from '../../src/store-cli/create-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'colloquy-folders-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const inParent = (...names: string[]): string => join(parent, ...names);

describe('creating a folder', () => {
  it('fails if another run has created it meanwhile, and leaves that one unchanged', async () => {
    const creating = createFolder(inParent('new'), async (into) => {
      await writeFile(join(into, 'file'), 'late');
      await mkdir(inParent('new'));
      await writeFile(inParent('new', 'file'), 'early');
    });
    await expect(creating).rejects.toThrow(CliError);
    await expect(creating).rejects.toThrow('already exists; nothing is overwritten');
    expect(await readFile(inParent('new', 'file'), 'utf8')).toBe('early');
    expect(await readdir(parent)).toEqual(['new']);
  });

  it('removes the leftovers of ended runs, and nothing of other runs', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const running = [
      `.new.partial-${process.ppid}-a1B2c3`,
      `.new.partial-1-a1B2c3.partial-${pid}-a1B2c3`,
      '.new.partially',
    ];
    const ended = ['.new.partial', `.new.partial-${pid}-a1B2c3`];
    for (const name of [...running, ...ended]) {
      await mkdir(inParent(name));
      await writeFile(inParent(name, 'file'), '');
    }
    await createFolder(inParent('new'), (into) => writeFile(join(into, 'file'), ''));
    expect((await readdir(parent)).sort()).toEqual([...running, 'new'].sort());
    for (const name of running) expect(await readdir(inParent(name))).toEqual(['file']);
  });
});
