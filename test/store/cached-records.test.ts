import { BSON, ObjectId } from 'mongodb';
import { expect, test } from 'vitest';
import { cacheEvictions } from '../../src/observe/metrics/definitions.ts';
import { decodeRecord } from '../../src/store/decode.ts';
import { createCachedRecords } from '../../src/store/record-cache/cached-records.ts';

const MAX_BYTES = 262_144;

/** A cache with a lookup by name, whose records have 300 bytes. */
function newCache() {
  const records = createCachedRecords(MAX_BYTES);
  const index = records.createIndex();
  const add = (name: string, bytes = 300) => {
    const record = decodeRecord(Buffer.from(BSON.serialize({ _id: new ObjectId(), text: 'x'.repeat(bytes) })));
    index.add('network', name, `posts/${name}`, record);
    return record;
  };
  const get = (name: string) => index.get('network', name);
  const addAll = (prefix: string, count: number) => {
    for (let place = 0; place < count; place += 1) add(`${prefix}-${place}`);
  };
  return { records, index, add, addAll, get };
}

test('records that were used again stay while many others are read once', () => {
  const { records, addAll, get } = newCache();
  const evicted = cacheEvictions.with('records');
  const before = evicted.value;
  addAll('frequent', 20);
  for (let place = 0; place < 20; place += 1) get(`frequent-${place}`);
  addAll('sweep', 2_000);
  for (let place = 0; place < 20; place += 1) expect(get(`frequent-${place}`)).toBeDefined();
  expect(get('sweep-0')).toBeUndefined();
  expect(get('sweep-1999')).toBeDefined();
  expect(evicted.value - before).toBe(2_020 - records.size);
  expect(records.bytes).toBeLessThanOrEqual(MAX_BYTES);
});

test('records that are no longer used give way to others that are used again', () => {
  const { records, addAll, get } = newCache();
  for (const prefix of ['earlier', 'later']) {
    addAll(prefix, 60);
    for (let place = 0; place < 60; place += 1) get(`${prefix}-${place}`);
  }
  addAll('sweep', 200);
  expect(get('earlier-0')).toBeUndefined();
  expect(get('later-59')).toBeDefined();
  expect(records.bytes).toBeLessThanOrEqual(MAX_BYTES);
});

test('a record that was evicted, deleted or replaced is found by no lookup', () => {
  const { records, index, add, addAll, get } = newCache();
  add('kept');
  get('kept');
  const other = records.createIndex();
  other.add('network', 'also-kept', 'posts/kept', records.get('posts/kept')!);
  records.delete('posts/kept');
  expect([get('kept'), other.get('network', 'also-kept'), records.get('posts/kept')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const replaced = add('replaced');
  const newer = add('replaced');
  expect(newer).not.toBe(replaced);
  expect(get('replaced')).toBe(newer);
  addAll('sweep', 2_000);
  expect(index.get('other network', 'replaced')).toBeUndefined();
  records.clear();
  expect([records.size, records.bytes, get('replaced'), get('sweep-1999')]).toEqual([0, 0, undefined, undefined]);
});

test('a record larger than the bound is not kept', () => {
  const { records, add, get } = newCache();
  add('small');
  get('small');
  add('large', MAX_BYTES);
  expect(get('large')).toBeUndefined();
  expect(get('small')).toBeDefined();
  expect(records.size).toBe(1);
});

test('a record that would be too large with its completed fields stays among those that were added', () => {
  const { records, add, addAll, get } = newCache();
  add('large', MAX_BYTES / 4);
  for (const _ of [1, 2, 3]) expect(get('large')).toBeDefined();
  expect(records.bytes).toBeLessThanOrEqual(MAX_BYTES);
  addAll('sweep', 2_000);
  expect(get('large')).toBeUndefined();
  expect(records.bytes).toBeLessThanOrEqual(MAX_BYTES);
});
