import { expect, test } from 'vitest';
import { createSourcePool, type KeptSources, sourcesOf } from '../../src/answers/kept-sources.ts';
import type { Source } from '../../src/answers/read-log.ts';

function source(key: string, fingerprint = key): Source {
  return { kind: 'load', name: 'users', key, text: `users "${key}"`, fingerprint, confirmedAt: null };
}

const sources = (...all: Source[]) => ({ all, validFrom: 1, validUntil: 2 });
const record = [source('author'), source('community'), source('category')];
const keysOf = (kept: KeptSources) => sourcesOf(kept).map(({ text }) => text.slice(7, -1));
const ownKeysOf = ({ own }: KeptSources) => own.map(({ text }) => text.slice(7, -1));

test('answers to one query share the sources that they have in common, and keep those of their viewer', () => {
  const pool = createSourcePool();
  const first = pool.keep('network', 'query', sources(...record, source('alice')));
  const second = pool.keep('network', 'query', sources(...record, source('bobby')));
  const third = pool.keep('network', 'query', sources(source('cara'), ...record));
  expect(keysOf(first)).toEqual(['author', 'community', 'category', 'alice']);
  expect(ownKeysOf(second)).toEqual(['bobby']);
  expect(third.group).toBe(second.group);
  expect(keysOf(third)).toEqual(['author', 'community', 'category', 'cara']);
  expect(third).toMatchObject({ validFrom: 1, validUntil: 2 });
});

test('a source that has changed is not among the sources of a later answer', () => {
  const pool = createSourcePool();
  pool.keep('network', 'query', sources(...record, source('alice')));
  const later = pool.keep('network', 'query', sources(...record.slice(1), source('author', 'renamed')));
  const fingerprints = sourcesOf(later).map(({ fingerprint }) => fingerprint);
  expect(fingerprints.toSorted()).toEqual(['category', 'community', 'renamed']);
});

test('an answer whose sources differ mostly, and one after an outdated answer, begin a group', () => {
  const pool = createSourcePool();
  const first = pool.keep('network', 'query', sources(...record));
  const other = pool.keep('network', 'query', sources(record[0]!, source('post'), source('file')));
  expect(ownKeysOf(other)).toEqual([]);
  const equal = pool.keep('network', 'query', sources(record[0]!, source('post'), source('file')));
  expect(equal.group).toBe(other.group);
  pool.retire(equal);
  const afterwards = pool.keep('network', 'query', sources(record[0]!, source('post'), source('file')));
  expect(new Set([first, other, afterwards].map(({ group }) => group)).size).toBe(3);
});

test('nothing is kept once all answers are released, in any order', () => {
  const pool = createSourcePool();
  const kept = ['alice', 'bobby', 'cara', 'dan'].map((viewer) =>
    pool.keep('network', 'query', sources(...record, source(viewer))),
  );
  kept.push(pool.keep('network', 'another query', sources(...record)));
  const { bytes } = pool;
  pool.release('network', kept[2]!);
  expect(pool.bytes).toBeLessThan(bytes);
  pool.retire(kept[1]!);
  for (const place of [4, 0, 3, 1]) pool.release('network', kept[place]!);
  expect(pool.bytes).toBe(0);
});
