import { expect, test } from 'vitest';
import { nextSlice } from '../../src/lib/time-slice.ts';

/** CPU microseconds until as many waiters have been resumed, in their order. */
async function resume(count: number): Promise<number> {
  const { user: before } = process.cpuUsage();
  let resumed = 0;
  let inOrder = 0;
  const waiters = Array.from({ length: count }, (_, index) =>
    nextSlice().then(() => {
      if (index === resumed) inOrder += 1;
      resumed += 1;
    }),
  );
  await Promise.all(waiters);
  expect(inOrder).toBe(count);
  return process.cpuUsage().user - before;
}

test('resumes a long line of waiters in their order and in linear time', async () => {
  await resume(10_000);
  const few = await resume(10_000);
  const many = await resume(160_000);
  // Moving all others for each resumed waiter would take hundreds of times as long.
  expect(many / few).toBeLessThan(64);
});
