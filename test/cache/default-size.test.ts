import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

const MONGODB_URI = 'mongodb://database.test/colloquy?replicaSet=rs0';

test.each([
  ['64 MiB with MongoDB', { MONGODB_URI }, 64],
  ['20 MiB beside the embedded store', {}, 20],
  [
    '20 MiB in a worker, whose primary process has the embedded store',
    { EMBEDDED_STORE_URI: 'mongodb://store.test' },
    20,
  ],
  ['the given size with MongoDB', { MONGODB_URI, CACHE_MB: '8' }, 8],
  ['off with MongoDB', { MONGODB_URI, CACHE_MB: '0' }, 0],
  ['the default for an empty text', { MONGODB_URI, CACHE_MB: '' }, 64],
])('the record cache is %s', (_, env, mebibytes) => {
  expect(readConfig(env).CACHE_MB).toBe(mebibytes);
});
