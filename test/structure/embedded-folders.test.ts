import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', 'src', 'embedded');

/** Lowest first: at run time a folder imports only from folders before it. */
const FOLDERS = ['lib', 'wire', 'storage', 'query', 'maintenance', 'change-streams', 'commands'];
const ROOT_FILES = ['engine.ts', 'index.ts', 'worker-protocol.ts', 'worker.ts'];

interface Import {
  from: string;
  to: string;
  isTypeOnly: boolean;
}

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
const imports = files.flatMap(importsOf);
const betweenFolders = imports.filter(({ from, to }) => folderOf(to) !== undefined && folderOf(from) !== folderOf(to));

function importsOf(from: string): Import[] {
  const source = readFileSync(join(ROOT, from), 'utf8');
  return [...source.matchAll(/^(?:import|export)\s+(type\s)?\s*([^;']*?)\s*from\s+'(\.[^']+)'/gm)].map((match) => {
    const [, type, clause, specifier] = match;
    const names = clause!.replace(/[{}]/g, '').split(',');
    return {
      from,
      to: relative(ROOT, join(ROOT, dirname(from), specifier!)),
      isTypeOnly: type !== undefined || names.every((name) => name.trim() === '' || name.trim().startsWith('type ')),
    };
  });
}

function folderOf(path: string): string | undefined {
  const folder = path.split('/')[0]!;
  return FOLDERS.includes(folder) ? folder : undefined;
}

const format = ({ from, to }: Import): string => `${from} -> ${to}`;

test('finds the imports between the folders of the embedded store', () => {
  expect(betweenFolders.length).toBeGreaterThan(200);
});

test('every file of the embedded store belongs to one of its folders', () => {
  const entries = new Set(files.map((file) => file.split('/')[0]!));
  expect([...entries].sort()).toEqual([...FOLDERS, ...ROOT_FILES].sort());
});

test('a folder of the embedded store is imported through its index', () => {
  const violations = betweenFolders.filter(({ to }) => to !== `${folderOf(to)}/index.ts`);
  expect(violations.map(format)).toEqual([]);
});

test('folders of the embedded store import only from lower ones, apart from types', () => {
  const violations = betweenFolders.filter(
    ({ from, to, isTypeOnly }) =>
      !isTypeOnly && folderOf(from) && FOLDERS.indexOf(folderOf(from)!) < FOLDERS.indexOf(folderOf(to)!),
  );
  expect(violations.map(format)).toEqual([]);
});

test('files in the folders of the embedded store import nothing but types from its root', () => {
  const violations = imports.filter(
    ({ from, to, isTypeOnly }) => !isTypeOnly && folderOf(from) && ROOT_FILES.includes(to),
  );
  expect(violations.map(format)).toEqual([]);
});
