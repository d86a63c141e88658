import { expect, test } from 'vitest';
import { createSharedValues } from '../../src/answers/shared-values.ts';

const create = () =>
  createSharedValues<{ key: string; fingerprint: string }>({
    keyOf: ({ key }) => key,
    isEqual: (one, other) => one.fingerprint === other.fingerprint,
    bytesOf: () => 100,
  });

test('equal values of two answers are one until both are released', () => {
  const shared = create();
  const alice = shared.use('network', { key: 'alice', fingerprint: 'a' });
  const bobby = shared.use('network', { key: 'bobby', fingerprint: 'b' });
  expect(shared.use('network', { key: 'bobby', fingerprint: 'b' })).toBe(bobby);
  expect(shared.bytes).toBe(200);
  shared.release('network', alice);
  shared.release('network', bobby);
  expect(shared.bytes).toBe(100);
  shared.release('network', bobby);
  expect(shared.bytes).toBe(0);
});

test('other values of one key, and those of another network, are apart', () => {
  const shared = create();
  const earlier = shared.use('network', { key: 'alice', fingerprint: 'a' });
  const later = shared.use('network', { key: 'alice', fingerprint: 'b' });
  const elsewhere = shared.use('other', { key: 'alice', fingerprint: 'b' });
  expect(new Set([earlier, later, elsewhere]).size).toBe(3);
  expect([earlier, later, elsewhere].map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b', 'b']);
  shared.release('network', later);
  shared.release('network', earlier);
  expect(shared.use('network', { key: 'alice', fingerprint: 'b' })).not.toBe(later);
  expect(shared.bytes).toBe(200);
});
