import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliError } from '../../src/store-cli/command.ts';
import { copyTree, createFolder, isInside } from '../../src/store-cli/folders.ts';

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

it.each([
  ['data', 'data', true],
  ['data/new/deep', 'data', true],
  ['data/../other', 'data', false],
  ['data2', 'data', false],
  ['data/new', 'link', true],
  ['link/new', 'data', true],
  ['link', 'data', true],
  ['other/new', 'link', false],
  ['data', 'other', false],
])('%s is compared with %s by the folders to which links lead: %s', async (path, folder, expected) => {
  for (const name of ['data', 'other']) await mkdir(inParent(name));
  await symlink(inParent('data'), inParent('link'));
  expect(await isInside(inParent(path), inParent(folder))).toBe(expected);
});

describe('copying a folder', () => {
  beforeEach(async () => {
    await mkdir(inParent('from'));
    await writeFile(inParent('from', 'file'), 'content');
  });

  it('fails if the target vanishes', async () => {
    for (const mayVanish of [true, false]) {
      const copying = copyTree(inParent('from', 'file'), inParent('vanished', 'file'), { mayVanish });
      await expect(copying).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  it('skips files that are deleted meanwhile only where that is expected', async () => {
    const [from, to] = [inParent('from', 'deleted'), inParent('to')];
    expect(await copyTree(from, to, { mayVanish: true })).toBe(0);
    await expect(copyTree(from, to, { mayVanish: false })).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await copyTree(inParent('from'), to, { mayVanish: false })).toBe(1);
  });
});
