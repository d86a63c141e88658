import { expect, test } from 'vitest';
import { createSharedLoads } from '../../src/answers/shared-loads.ts';

const load = (key: string, fingerprint: string) => ({ key, text: `users "${key}"`, fingerprint });
const loadsOf = (...users: ReturnType<typeof load>[]) => new Map([['users', users]]);

test('equal loads of two answers are one until both are released', () => {
  const shared = createSharedLoads();
  const one = shared.use('network', loadsOf(load('alice', 'a'), load('bobby', 'b')));
  const { bytes } = shared;
  const other = shared.use('network', loadsOf(load('bobby', 'b')));
  expect(other.get('users')![0]).toBe(one.get('users')![1]);
  expect(shared.bytes).toBe(bytes);
  shared.release('network', one);
  expect(shared.bytes).toBe(bytes / 2);
  shared.release('network', other);
  expect(shared.bytes).toBe(0);
});

test('loads of another value, and of another network, are apart', () => {
  const shared = createSharedLoads();
  const earlier = shared.use('network', loadsOf(load('alice', 'a')));
  const later = shared.use('network', loadsOf(load('alice', 'b')));
  const elsewhere = shared.use('other', loadsOf(load('alice', 'b')));
  const [one, two, three] = [earlier, later, elsewhere].map((loads) => loads.get('users')![0]);
  expect(new Set([one, two, three]).size).toBe(3);
  expect([one, two, three].map((found) => found!.fingerprint)).toEqual(['a', 'b', 'b']);
  shared.release('network', later);
  shared.release('network', earlier);
  expect(shared.use('network', loadsOf(load('alice', 'b'))).get('users')![0]).not.toBe(two);
  shared.release('other', elsewhere);
});
