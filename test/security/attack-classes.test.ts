import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ATTACK_CLASSES, TRANSPORTS } from './attack-classes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
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
 * Titles of the tests and groups of a source, as it spells them: of `test`, `it` and `describe`, plain or for a table, and
 * the first column of tables. A title that is computed counts up to what is filled in.
 */
function titlesOf(source: string): Set<string> {
  const literal =
    /(?:\b(?:test|it|describe)(?:\.\w+)*\(|\]\)\(|\)\)\(|\w\)\(|\[)\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
  return new Set(
    [...source.matchAll(literal)].map((match) => match[1] ?? match[2] ?? match[3]!.split('${')[0]!.trim()),
  );
}

test('every class of attack has a number of its own', () => {
  expect(ATTACK_CLASSES.map(({ number }) => number)).toEqual(ATTACK_CLASSES.map((_, index) => index + 1));
});

describe.each(ATTACK_CLASSES.map((one) => [one.name, one] as const))('%s', (_, { cells }) => {
  test.each(TRANSPORTS)('over %s: held by tests that exist, or not applicable for a reason', (transport) => {
    const cell = cells[transport];
    if (typeof cell === 'string') {
      expect(cell.length).toBeGreaterThan(10);
      return;
    }
    expect(cell.length).toBeGreaterThan(0);
    for (const { file, title } of cell) {
      const source = sourceOf(file);
      expect([file, title, titlesOf(source).has(title)]).toEqual([file, title, true]);
      expect([file, /\.(only|todo|skip)\(/.test(source)]).toEqual([file, false]);
    }
  });
});
