import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { readKeys } from '../../src/process/keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-keys-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('concurrent first starts use the same generated keys, in a file that only its owner can read', async () => {
  for (let round = 0; round < 20; round++) {
    const DATA_DIR = join(folder, `${round}`);
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => readKeys(readConfig({ DATA_DIR }))));
    for (const keys of others) expect(keys).toEqual(first);
    expect(await readKeys(readConfig({ DATA_DIR }))).toEqual(first);
    expect(await readdir(DATA_DIR)).toEqual(['keys.json']);
    expect((await stat(join(DATA_DIR, 'keys.json'))).mode & 0o777).toBe(0o600);
  }
});

test.each([
  ['empty', ''],
  ['truncated', '{"API_KEY": "dev-1'],
  ['without a key', '{"API_KEY": "dev-1", "SERVER_KEY": "s"}'],
])('a file of keys that is %s prevents the start, with a message that names it', async (_, text) => {
  const path = join(folder, 'keys.json');
  await writeFile(path, text);
  const reading = readKeys(readConfig({ DATA_DIR: folder }));
  await expect(reading).rejects.toThrow(ConfigError);
  await expect(reading).rejects.toThrow(`${path} is damaged`);
  expect(await readdir(folder)).toEqual(['keys.json']);
});
