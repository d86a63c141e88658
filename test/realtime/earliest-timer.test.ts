import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEarliestTimer } from '../../src/lib/earliest-timer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Times that a timer ends, like the sessions of subscribers. */
function timesEndedBy(timer: (onDue: () => number) => ReturnType<typeof createEarliestTimer>) {
  const due = new Set<number>();
  const ended: Array<{ at: number; due: number }> = [];
  const earliest = timer(() => {
    const now = performance.now();
    for (const at of due) {
      if (at > now) continue;
      due.delete(at);
      ended.push({ at: now, due: at });
    }
    return Math.min(...due) - now;
  });
  return {
    ended,
    add(inMs: number) {
      due.add(performance.now() + inMs);
      earliest.due(inMs);
    },
    close: earliest.close,
  };
}

test('calls back for each time soon after it has come, in any order of addition', () => {
  const times = timesEndedBy(createEarliestTimer);
  for (const inMs of [5_000, 1_000, 3_000, 1_010, 90_000]) times.add(inMs);
  vi.advanceTimersByTime(4_000);
  times.add(500);
  vi.advanceTimersByTime(100_000);
  expect(times.ended.length).toBe(6);
  for (const { at, due } of times.ended) expect(at - due).toBeLessThanOrEqual(100);
  for (const { at, due } of times.ended) expect(at).toBeGreaterThanOrEqual(due);
  expect(vi.getTimerCount()).toBe(0);
});

test('uses one timer for any number of times, beyond the longest delay of a timer too', () => {
  const times = timesEndedBy(createEarliestTimer);
  const days = 86_400_000;
  for (let index = 0; index < 1_000; index += 1) times.add(40 * days + index);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(39 * days);
  expect(times.ended).toEqual([]);
  vi.advanceTimersByTime(2 * days);
  expect(times.ended.length).toBe(1_000);
});

test('calls back no more after its end', () => {
  const times = timesEndedBy(createEarliestTimer);
  times.add(1_000);
  times.close();
  vi.advanceTimersByTime(10_000);
  expect(times.ended).toEqual([]);
});
