import { expect, test } from 'vitest';
import { type AimsReport, aimsReport, measureAims, printVerdict } from '../../bench/aims/aims.ts';
import { PARTS, type PartRun } from '../../bench/aims/parts.ts';
import { type AimResult, isBusy, isMet } from '../../bench/aims/result.ts';
import { SMOKE } from '../../bench/settings.ts';

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
