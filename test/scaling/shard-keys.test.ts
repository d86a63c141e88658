import { expect, test } from 'vitest';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { SHARD_KEYS, shardedCollections, shardingScript } from '../../src/store/shard-keys.ts';
import { indexOfShardKey } from './reach.ts';
import { generatedSection } from './tables.ts';

const names = Object.keys(INDEXES) as CollectionName[];
const keys = shardedCollections().map(([name, key]) => [name, Object.keys(key)] as const);

test('every collection has a shard key, except those with a few records per network or short-lived counts', () => {
  expect(Object.keys(SHARD_KEYS).sort()).toEqual([...names].sort());
  expect(names.filter((name) => SHARD_KEYS[name] === null)).toEqual([
    'networks',
    'contentRules',
    'webhookEndpoints',
    'webhookPositions',
    'rateCounters',
  ]);
});

test.each(keys)(
  'the shard key of %s is the network and more fields, so that a large network has many chunks',
  (_, fields) => {
    expect(fields[0]).toBe('networkId');
    expect(fields.length).toBeGreaterThan(1);
  },
);

test.each(keys)(
  'every unique index of %s begins with the fields of its shard key, as MongoDB requires',
  (name, fields) => {
    for (const index of INDEXES[name].filter(({ unique }) => unique)) {
      expect(Object.keys(index.key).slice(0, fields.length)).toEqual(fields);
    }
  },
);

test('every collection except events, which no query finds by it, has an index that begins with its shard key', () => {
  expect(keys.map(([name]) => name).filter((name) => !indexOfShardKey(name))).toEqual(['events']);
});

test('a shard key hashes one field at most', () => {
  for (const [, key] of shardedCollections()) {
    expect(Object.values(key).filter((how) => how === 'hashed').length).toBeLessThan(2);
  }
});

test('docs/reference/sharding.md contains the sharding commands (npm run generate:scaling)', () => {
  const script = ['```js', ...shardingScript('colloquy'), '```'].join('\n');
  expect(generatedSection('script', script)).toBe(script);
});
