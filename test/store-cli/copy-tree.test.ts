import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyTree, isInside } from '../../src/store-cli/copy-tree.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'colloquy-folders-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const inParent = (...names: string[]): string => join(parent, ...names);

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
