import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['src', 'schema', 'rest-compat', 'test', 'bench', 'docs', 'scripts', '.ci'];
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'test/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** Files and folders of the repository, relative to its root. */
const entries = FOLDERS.flatMap((folder) => [
  folder,
  ...readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).map((entry) =>
    relative(ROOT, join(entry.parentPath, entry.name)),
  ),
]);
const fileNames = new Set(entries.map((entry) => basename(entry)));

/** The spans and blocks of code of a page, without its generated tables, whose paths may lack their folder. */
function codeOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, '');
  const blocks = [...text.matchAll(/^```\w*.*\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
  return [...blocks, ...spans];
}

/** Whether a path, or a pattern with `*` and `**`, names a file or folder. A last part in capitals is a placeholder. */
function isInRepository(path: string, page: string): boolean {
  const named = path.replace(/\/(?:[A-Z]+)?$/, '');
  if (!named.includes('*')) return existsSync(join(ROOT, named)) || existsSync(join(ROOT, page, '..', named));
  const pattern = named
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*/g, (stars) => (stars === '**' ? '.*' : '[^/]*'));
  return entries.some((entry) => new RegExp(`^${pattern}$`).test(entry));
}

const PATH = new RegExp(
  `(?<![\\w./-])(?:${FOLDERS.map((folder) => folder.replace('.', '\\.')).join('|')})/[\\w./*-]*`,
  'g',
);

/** The names of code of every page that `find` finds and `exists` rejects. */
const missing = (
  find: (code: string) => string[],
  exists: (name: string, page: string) => boolean,
  pages: readonly string[] = PAGES,
) =>
  pages.flatMap((page) =>
    codeOf(page)
      .flatMap(find)
      .filter((name) => !exists(name, page))
      .map((name) => `${page}: ${name}`),
  );

test('every path in the documentation names a file or folder of the repository', () => {
  const paths = (code: string) => [...code.matchAll(PATH)].map(([path]) => path.replace(/[.-]+$/, ''));
  expect(PAGES.flatMap((page) => codeOf(page).flatMap(paths)).length).toBeGreaterThan(60);
  expect(missing(paths, isInRepository)).toEqual([]);
});

test('CONTRIBUTING describes every folder of the repository and of src', () => {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const folders = [
    ...FOLDERS.filter((folder) => folder !== 'src' && folder !== '.ci'),
    ...readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/${name}`),
  ];
  expect(folders.filter((folder) => !text.includes(`| \`${folder}/\` `))).toEqual([]);
});

test('every source file that the documentation names without its folder exists', () => {
  const names = (code: string) => (/^[\w.-]+\.(?:ts|graphql)$/.test(code) ? [code] : []);
  expect(missing(names, (name) => fileNames.has(name))).toEqual([]);
});

test('every npm script in the documentation is one of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const names = (code: string) => [
    ...[...code.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!),
    ...[...code.matchAll(/\bnpm (test|start)\b/g)].map(([, name]) => name!),
  ];
  expect(PAGES.flatMap((page) => codeOf(page).flatMap(names)).length).toBeGreaterThan(40);
  expect(missing(names, (name) => name in scripts)).toEqual([]);
});

test('every REST path that a reference page names with its method is served', () => {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as { paths: Record<string, object> };
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
  );
  /** A path may begin with `…`, or at the parent that its section names. */
  const isServed = (name: string) => {
    const [method, path] = name.split(' ') as [string, string];
    const end = path
      .replace(/^…/, '')
      .replace(/\/$/, '')
      .replace(/\{\w+\}/g, '{}');
    return served.some((route) => route.startsWith(`${method} `) && route.endsWith(end));
  };
  const unserved = /\n## Not served\n[\s\S]*/.exec(readFileSync(join(ROOT, 'docs', 'interface.md'), 'utf8'))![0];
  const names = (code: string) => {
    const [, method, path] = /^(GET|POST|PUT|DELETE) ((?:…|\/)[^\s?<[]+)(?!\S*<)/.exec(code) ?? [];
    return method && path && !unserved.includes(`\`${code}\``) ? [`${method} ${path}`] : [];
  };
  const reference = PAGES.filter((page) => /^docs\/(?:interface\.md$|reference\/)/.test(page));
  expect(reference.flatMap((page) => codeOf(page).flatMap(names)).length).toBeGreaterThan(100);
  expect(missing(names, isServed, reference)).toEqual([]);
});
