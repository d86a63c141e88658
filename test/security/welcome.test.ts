import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { banner } from '../../src/process/banner.ts';
import type { Prepared } from '../../src/process/prepare-store.ts';

const keys = { API_KEY: 'api-key-1234', SERVER_KEY: 's'.repeat(32), TOKEN_SECRET: 't'.repeat(32) };
const textFor = (env: Record<string, string>, refusedKeys: Prepared['refusedKeys'] = []) =>
  banner({ url: 'http://127.0.0.1:4000', keys, filled: true, refusedKeys, config: readConfig(env) });

test('the banner prints a generated SERVER_KEY', () => {
  expect(textFor({})).toContain(keys.SERVER_KEY);
});

test('the banner does not print a SERVER_KEY from the environment', () => {
  const text = textFor({ SERVER_KEY: keys.SERVER_KEY });
  expect(text).not.toContain(keys.SERVER_KEY);
  expect(text).toContain('as set in SERVER_KEY');
});

test('the banner prints no refused keys, nor commands with them', () => {
  expect(textFor({})).toContain(`X-API-Key: ${keys.API_KEY}`);
  expect(textFor({}, ['SERVER_KEY'])).not.toContain(keys.SERVER_KEY);
  const text = textFor({}, ['API_KEY', 'SERVER_KEY']);
  expect(text).not.toContain(keys.API_KEY);
  expect(text).toMatch(/API key {4}refused/);
});
