import { expect, test } from 'vitest';
import { createFrequencies } from '../../src/answers/frequency.ts';

const keyOf = (index: number) => `session ${index % 32}, GET /api/v3/posts/post-${index}`;

test('requests of thousands of keys are counted nearly exactly', () => {
  const frequencies = createFrequencies();
  for (let index = 0; index < 10_000; index++) frequencies.add(keyOf(index));
  for (let index = 0; index < 2_000; index++) frequencies.add(keyOf(index));
  const estimates = Array.from({ length: 10_000 }, (_, index) => frequencies.of(keyOf(index)));
  const tooHigh = estimates.filter((estimate, index) => estimate > (index < 2_000 ? 2 : 1));
  expect(tooHigh.length).toBeLessThan(200);
  expect(estimates.some((estimate, index) => estimate < (index < 2_000 ? 2 : 1))).toBe(false);
});

test('a key that is no longer requested becomes less frequent than one that is', () => {
  const frequencies = createFrequencies();
  for (let request = 0; request < 200; request++) frequencies.add('earlier');
  for (let request = 0; request < 600_000; request++) frequencies.add(keyOf(request % 100));
  expect(frequencies.of('earlier')).toBeLessThan(50);
  expect(frequencies.of(keyOf(0))).toBeGreaterThan(frequencies.of('earlier'));
});
