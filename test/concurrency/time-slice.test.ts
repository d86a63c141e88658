import { expect, test } from 'vitest';
import { nextSlice } from '../../src/lib/time-slice.ts';

/** So many that moving all others for each resumed waiter takes longer than a test may. */
const WAITERS = 640_000;

test('resumes a long line of waiters in their order', async () => {
  let resumed = 0;
  let inOrder = 0;
  const waiters = Array.from({ length: WAITERS }, (_, index) =>
    nextSlice().then(() => {
      if (index === resumed) inOrder += 1;
      resumed += 1;
    }),
  );
  await Promise.all(waiters);
  expect(inOrder).toBe(WAITERS);
});
