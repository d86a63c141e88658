import { expect, test } from 'vitest';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { SHARD_KEYS, shardedCollections, shardingScript } from '../../src/store/shard-keys.ts';
import { indexOfShardKey } from './reach.ts';
import { generatedSection } from './tables.ts';

const names = Object.keys(INDEXES) as CollectionName[];
const keys = shardedCollections().map(([name, key]) => [name, Object.keys(key)] as const);

test('every collection has a shard key, except those of a few records a network', () => {
  expect(Object.keys(SHARD_KEYS).sort()).toEqual([...names].sort());
  expect(names.filter((name) => SHARD_KEYS[name] === null)).toEqual([
    'networks',
    'webhookEndpoints',
    'webhookPositions',
  ]);
});

test.each(keys)('%s is split by the network and more, so that a huge network is many chunks', (_, fields) => {
  expect(fields[0]).toBe('networkId');
  expect(fields.length).toBeGreaterThan(1);
});

test.each(keys)(
  'every unique index of %s begins with the fields of its shard key, as MongoDB demands',
  (name, fields) => {
    for (const index of INDEXES[name].filter(({ unique }) => unique)) {
      expect(Object.keys(index.key).slice(0, fields.length)).toEqual(fields);
    }
  },
);

test.each(keys)('%s has an index that begins with the fields of its shard key', (name) => {
  expect(indexOfShardKey(name)).toBeDefined();
});

test('a shard key hashes one field at most', () => {
  for (const [, key] of shardedCollections()) {
    expect(Object.values(key).filter((how) => how === 'hashed').length).toBeLessThan(2);
  }
});

test('docs/reference/sharding.md has the commands that shard (npm run generate:scaling)', () => {
  const script = ['```js', ...shardingScript('colloquy'), '```'].join('\n');
  expect(generatedSection('script', script)).toBe(script);
});
