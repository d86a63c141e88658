import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TRANSPORTS } from './attack-class.ts';
import { ATTACK_CLASSES } from './attack-classes.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const sources = new Map<string, string>();

function sourceOf(file: string): string {
  let source = sources.get(file);
  if (source === undefined) {
    source = readFileSync(join(ROOT, file), 'utf8');
    sources.set(file, source);
  }
  return source;
}

/**
 * The titles of all tests and groups in a source file, as written: of `test`, `it` and `describe`, with and without
 * a table, and the first column of tables. Of a template literal, the text before its first placeholder.
 */
function titlesOf(source: string): Set<string> {
  const literal =
    /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\]\)\(|\)\)\(|\w\)\(|\[)\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
  return new Set(
    [...source.matchAll(literal)].map((match) => match[1] ?? match[2] ?? match[3]!.split('${')[0]!.trim()),
  );
}

/**
 * Finds what could keep a test from running: `skip`, `todo`, `fails` and `only` anywhere in its file, and conditions of
 * the test or of a group. A condition on the store is allowed, because every run includes the embedded store.
 */
function findSkips(source: string, title: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  const modifiers = /\.(?:only|todo|skip|fails)\b|\b(?:xit|xtest|xdescribe)\(|\b(?:skip|todo|only|fails): true/g;
  const conditions = [...code.matchAll(/\b(\w+)\.(?:skipIf|runIf)\(([^)]*)\)\(\s*(['"`])(.*?)\3/g)].filter(
    ([, kind, condition, , ofTitle]) =>
      condition !== 'process.env.MONGODB_URI' && (kind === 'describe' || ofTitle === title),
  );
  return [...code.matchAll(modifiers), ...conditions].map(([found]) => found);
}

test.each([
  ["test.skip('a', run)", ['.skip']],
  ["describe.skip.each([1])('a', run)", ['.skip']],
  ["test.todo('a')", ['.todo']],
  ["test('a', { skip: true }, run)", ['skip: true']],
  ["test('a', (context) => context.skip())", ['.skip']],
  ["test.runIf(process.env.CI)('a', run)", ["test.runIf(process.env.CI)('a'"]],
  ["describe.skipIf(isBusy)('b', () => test('a', run))", ["describe.skipIf(isBusy)('b'"]],
  ["test.skipIf(isBusy)('b', run)", []],
  ["test.skipIf(process.env.MONGODB_URI)('a', run)", []],
  ["test('a skipped message', run)", []],
])('finds what keeps %s from running', (source, found) => {
  expect([...new Set(findSkips(source, 'a'))]).toEqual(found);
});

test('attack classes are numbered without gaps', () => {
  expect(ATTACK_CLASSES.map(({ number }) => number)).toEqual(ATTACK_CLASSES.map((_, index) => index + 1));
});

describe.each(ATTACK_CLASSES.map((one) => [one.name, one] as const))('%s', (_, { cells }) => {
  test.each(TRANSPORTS)('over %s: is covered by existing tests, or has a reason why it does not apply', (transport) => {
    const cell = cells[transport];
    if (typeof cell === 'string') {
      expect(cell.length).toBeGreaterThan(10);
      return;
    }
    expect(cell.length).toBeGreaterThan(0);
    for (const { file, title } of cell) {
      const source = sourceOf(file);
      expect([file, title, titlesOf(source).has(title)]).toEqual([file, title, true]);
      expect([file, ...findSkips(source, title)]).toEqual([file]);
    }
  });
});
