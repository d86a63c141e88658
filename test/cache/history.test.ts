import { expect, test } from 'vitest';
import { History, outcomes, Register, type Request } from './history.ts';

const request = (start: number, end: number, client = 'ann'): Request => ({ start, end, client, label: 'GET' });

/** A register that is written at 10–20 with `b` and at 30–40 with `c`. */
function register(options?: ConstructorParameters<typeof Register>[2]): Register<string> {
  const name = new Register('name', 'a', options);
  Object.assign(name.begin('b', 10), { end: 20, outcome: 'done' });
  Object.assign(name.begin('c', 30), { end: 40, outcome: 'done' });
  return name;
}

function problemsOf(...reads: Array<[value: string, start: number, end: number, client?: string]>): string[] {
  const history = new History();
  const name = register();
  for (const [value, start, end, client] of reads) history.saw(name, value, request(start, end, client));
  return history.check();
}

test.each<[string, Parameters<typeof problemsOf>]>([
  ['before the first write', [['a', 0, 5]]],
  ['the old value during a write', [['a', 12, 15]]],
  ['the new value during a write', [['b', 12, 15]]],
  ['any value that was current during a long read', [['a', 5, 50]]],
  ['the latest value', [['c', 41, 42]]],
  [
    'the old value after the new one, in overlapping reads',
    [
      ['b', 12, 15],
      ['a', 11, 16],
    ],
  ],
  [
    'growing values of different clients',
    [
      ['a', 11, 12, 'ann'],
      ['b', 13, 14, 'ben'],
      ['c', 31, 33, 'cat'],
    ],
  ],
])('accepts %s', (_, reads) => expect(problemsOf(...reads)).toEqual([]));

test.each<[string, Parameters<typeof problemsOf>]>([
  ['a value that was overwritten before the read began', [['a', 21, 25]]],
  ['a value that is written after the read', [['c', 22, 29]]],
  ['a value that nobody wrote', [['d', 12, 15]]],
  [
    'a value that goes back for one client',
    [
      ['b', 12, 13],
      ['a', 14, 15],
    ],
  ],
  [
    'a value that goes back from one client to another',
    [
      ['c', 31, 33, 'ann'],
      ['b', 34, 36, 'ben'],
    ],
  ],
  [
    'a value that goes back after an overlapping read of the old one',
    [
      ['c', 31, 33],
      ['b', 30, 38],
      ['b', 34, 36],
    ],
  ],
])('finds %s', (_, reads) => expect(problemsOf(...reads)).toHaveLength(1));

test('a write of unknown outcome may be visible or not, and a refused one is not', () => {
  const history = new History();
  const name = register();
  name.begin('unknown', 50).outcome = 'unknown';
  name.begin('refused', 60).outcome = 'refused';
  history.saw(name, 'c', request(70, 71));
  history.saw(name, 'unknown', request(72, 73));
  expect(history.check()).toEqual([]);
  history.saw(name, 'refused', request(74, 75));
  history.saw(name, 'c', request(76, 77));
  expect(history.check()).toHaveLength(2);
});

test('a register with a delay accepts the previous value until it has passed', () => {
  const history = new History();
  const name = register({ staleMs: 100 });
  history.saw(name, 'a', request(119, 130));
  expect(history.check()).toEqual([]);
  history.saw(name, 'a', request(121, 130));
  expect(history.check()).toHaveLength(1);
});

test('what depends on two registers is derived from every combination of their values', () => {
  const isPublic = new Register('isPublic', true);
  const isMember = new Register('isMember', false);
  Object.assign(isPublic.begin(false, 10), { end: 20, outcome: 'done' });
  Object.assign(isMember.begin(true, 15), { end: 30, outcome: 'done' });
  const sees = (start: number, end: number) =>
    [...outcomes(request(start, end), [isPublic, isMember], (open, member) => open || member)].sort();
  expect(sees(0, 5)).toEqual([true]);
  expect(sees(12, 14)).toEqual([false, true]);
  expect(sees(21, 25)).toEqual([false, true]);
  expect(sees(31, 35)).toEqual([true]);
});
