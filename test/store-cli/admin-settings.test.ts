import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { settings } from '../../src/admin-cli/settings.ts';
import { SETTING_NAMES } from '../../src/domain/network/setting-names.ts';
import { runProgram } from '../../src/store-cli/run-program.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-settings-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command in this process, on a new embedded store. */
async function run(...args: string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const err = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    const program = { name: 'admin', summary: '', commands: { settings } };
    const code = await runProgram(program, ['settings', ...args, '--data-dir', folder]);
    return { code, out: out.mock.calls.flat().join('\n'), err: err.mock.calls.flat().join('\n') };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

test('lists every setting of a new installation with its default', async () => {
  const { code, out } = await run('list');
  expect(code).toBe(0);
  expect(out.split('\n').map((line) => line.split(' = ')[0])).toEqual(SETTING_NAMES);
  expect(out).toContain('chat.messagePreview.isIncludeDeleted = false\n');
  expect(out).toContain('social.userPrivacySetting = public\n');
  expect(out).toContain('deepLinks.patterns = {}\n');
});

const NOT_FOUND = 'Setting not found: `settings list` prints the names of all settings.';

test.each([
  ['chat.marker.enabled', 'false'],
  ['social.userPrivacySetting', 'private'],
  ['social.globalFeed.showEveryonePost', 'true'],
  ['deepLinks.domain', 'app.example.com'],
  ['deepLinks.patterns', '{"post":"/post/{postId}"}'],
  ['createsUnknownUsers', 'false'],
])('changes %s to %s', async (name, value) => {
  expect(await run('set', name, value)).toEqual({ code: 0, out: `${name} = ${value}`, err: '' });
  expect(await run('get', name)).toEqual({ code: 0, out: value, err: '' });
});

test.each([
  ['a group of settings', 'chat', 'true', NOT_FOUND],
  ['a name of the prototype', '__proto__.polluted', 'true', NOT_FOUND],
  ['a text for a boolean', 'chat.enabled', 'yes', 'chat.enabled: '],
  ['an unknown value', 'social.userPrivacySetting', 'secret', 'social.userPrivacySetting: '],
  ['a long text', 'deepLinks.domain', 'x'.repeat(254), 'deepLinks.domain: at most 253 characters'],
  ['an object for a boolean', 'createsUnknownUsers', '{"$ne":null}', 'createsUnknownUsers: '],
])('rejects %s, with its reason', async (_, name, value, reason) => {
  expect(await run('set', name, value)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
});

test('reports invalid arguments with the usage', async () => {
  expect(await run('get', 'chat')).toMatchObject({ code: 1, err: NOT_FOUND });
  for (const args of [
    [],
    ['toString'],
    ['get'],
    ['list', 'x'],
    ['set', 'chat.enabled'],
    ['set', 'deepLinks.patterns', '{'],
  ])
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining('npm run admin -- settings') });
});
