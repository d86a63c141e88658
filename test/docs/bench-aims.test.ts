import { expect, test } from 'vitest';
import { type AimsReport, aimsReport, measureAims, printVerdict } from '../../bench/aims/aims.ts';
import { PARTS, type PartRun } from '../../bench/aims/parts.ts';
import { type AimResult, isBusy, isMet } from '../../bench/aims/result.ts';
import { SMOKE } from '../../bench/settings.ts';
import { faultsOfStore } from '../../bench/store/aims.ts';
import { faultsOfWebhooks, type WebhookResult } from '../../bench/webhooks.ts';

const QUIET = 0.02;
const RUN: PartRun = { scale: SMOKE, progress: () => undefined };

function ratio(name: string, median: number | null, otherLoad = QUIET): AimResult {
  const value = median === null ? null : { lower: median, median, upper: median };
  return { name, value, aim: { atLeast: 1 }, otherLoad };
}

function reportOf(...all: AimResult[]): AimsReport {
  const results = all.map((result) => ({ ...result, isMet: isMet(result), isBusy: isBusy(result) }));
  const part = { part: 'reads', results, details: '', figures: null, seconds: 1, loadBefore: 0, loadAfter: 0 } as const;
  return aimsReport([part], []);
}

test('aims that this machine cannot measure are counted apart from met ones', () => {
  const report = reportOf(ratio('fast', 2), ratio('workers', null));
  expect(report).toMatchObject({ met: ['fast'], unmet: [], unmeasurable: ['workers'], isBusy: false });
  expect(printVerdict(report)).toBe(
    'All of 1 measured aims are met.\n1 more cannot be measured on this machine: workers.',
  );
});

test('a run on a busy machine is marked, with the load of other programs', () => {
  const report = reportOf(ratio('fast', 2), ratio('slow', 0.5, 1.26), {
    name: 'beside',
    value: ratio('', 1).value,
    otherLoad: QUIET,
  });
  expect(report).toMatchObject({ met: ['fast'], unmet: ['slow'], isBusy: true });
  expect(printVerdict(report)).toMatch(
    /^1 of 2 measured aims are not met\.\nBUSY: other programs used up to 1\.3 of \d+ processors during 1 of 3/,
  );
});

test('the load of other programs does not count where it is unknown or nothing was measured', () => {
  expect(reportOf(ratio('fast', 2, Number.NaN), ratio('workers', null, 1)).isBusy).toBe(false);
});

test('the report is saved after each part, so that a failing one does not lose the parts before it', async () => {
  const { reads, small } = PARTS;
  const saved: AimsReport[] = [];
  PARTS.reads = async () => ({ results: [ratio('fast', 2)], details: '', figures: null });
  PARTS.small = () => Promise.reject(new Error('no packages'));
  try {
    await expect(measureAims(['reads', 'small'], RUN, async (report) => void saved.push(report))).rejects.toThrow(
      'no packages',
    );
  } finally {
    Object.assign(PARTS, { reads, small });
  }
  expect(saved).toMatchObject([{ met: ['fast'], missing: ['small'], parts: [{ part: 'reads' }] }]);
});

test('the aims of the store alone concern reads one at a time, concurrent inserts, and growth', () => {
  const met = { perSecond: 5_000, timesEcho: 1.2, growth: 1.3 };
  const slow = { perSecond: 100, timesEcho: 9, growth: 1.3 };
  expect(
    faultsOfStore([
      { ...met, name: 'point read', together: 1 },
      { ...met, name: 'insert', together: 64 },
      { ...slow, name: 'point read', together: 32 },
      { ...slow, name: 'insert', together: 1 },
    ]),
  ).toEqual([]);
  expect(
    faultsOfStore([
      { ...slow, name: 'point read', together: 1 },
      { ...slow, name: 'range of 50', together: 1 },
      { ...slow, name: 'insert', together: 64 },
      { ...met, name: 'transaction of 4 writes', together: 1, growth: 1.4 },
    ]),
  ).toEqual([
    'point read: 9.00 × echo, not 1.2',
    'range of 50: 9.00 × echo, not 1.3',
    'insert, 64 concurrent: 100 per second, not 5000',
    'transaction of 4 writes: growth of 1.40, not 1.3',
  ]);
});

test('the aims of webhooks concern only the gateway', () => {
  const result = (server: WebhookResult['server'], median: number, p99: number): WebhookResult => ({
    ...{ server, p99, p50: 1, endpoints: 10, rate: 20, isComplete: true, serverUs: 1, storeUs: 1, otherLoad: 0 },
    deliveriesPerSecond: { lower: 1, median, upper: 2_000 },
    ofForgetting: { lower: 1, median: 1, upper: 1 },
  });
  expect(faultsOfWebhooks([result('gateway', 1_500, 100), result('fire and forget', 100, 900)])).toEqual([]);
  expect(faultsOfWebhooks([{ ...result('gateway', 800, 120), isComplete: false }])).toEqual([
    'webhooks: not every endpoint received every event',
    'webhooks: 800 deliveries/s, not 1500',
    'webhooks: p99 of 120 ms at 200 deliveries/s, not 100',
  ]);
});
