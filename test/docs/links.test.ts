import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
/** Folders whose comments and texts may refer to a page of `docs`. */
const SOURCES = ['src', 'schema', 'rest-compat', 'test', 'bench', 'scripts'];

const filesIn = (folder: string, extensions: readonly string[]): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name)))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'test/README.md',
  ...filesIn('docs', ['.md']),
];

/** The text of a page without its examples, in which brackets and number signs have other meanings. */
const proseOf = (page: string) => readFileSync(join(ROOT, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '');

/** The anchors that GitHub derives from the headings of a page, in order. */
const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The problem with a link; null when it resolves. */
function problemOf(target: string, from: string): string | null {
  const [path, anchor] = decodeURI(target).split('#') as [string, string?];
  const file = path === '' ? from : relative(ROOT, resolve(ROOT, dirname(from), path));
  if (!existsSync(join(ROOT, file))) return `${from}: ${target} does not exist`;
  if (anchor === undefined || extname(file) !== '.md') return null;
  return anchorsOf(file).includes(anchor) ? null : `${from}: ${target} has no such heading`;
}

test('every relative link of a page leads to a file and, with an anchor, to one of its headings', () => {
  const problems = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/i.test(target))
      .map((target) => problemOf(target, page))
      .filter((problem) => problem !== null),
  );
  expect(problems).toEqual([]);
});

test('every documentation page and heading named in the source exists', () => {
  const problems = SOURCES.flatMap((folder) => filesIn(folder, ['.ts', '.mjs', '.graphql'])).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g)]
      .map(([target]) => problemOf(target, 'README.md'))
      .filter((problem) => problem !== null)
      .map((problem) => problem.replace('README.md', file)),
  );
  expect(problems).toEqual([]);
});

test('headings of the interface reference have unique anchors', () => {
  const anchors = anchorsOf('docs/interface.md');
  expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
});

test('the index of decisions lists each of them', () => {
  const index = proseOf('docs/decisions/README.md');
  const records = filesIn('docs/decisions', ['.md']).filter((file) => !file.endsWith('README.md'));
  expect(records.filter((file) => !index.includes(`(${file.split('/').at(-1)})`))).toEqual([]);
});
