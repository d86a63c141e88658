import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../rest-compat/routes.ts';
import { schema } from '../../schema/index.ts';
import { routeName } from '../support/calls.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'rest-compat');
const VERSION_FOLDER = /^v(\d)\/[a-z-]+\//;

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
const documentFiles = files.filter((file) => VERSION_FOLDER.test(file) && file.endsWith('.graphql'));
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const routeFiles = files.filter(
  (file) => VERSION_FOLDER.test(file) && file.endsWith('.ts') && read(file).includes('route('),
);

test.each(ROUTES.map((route) => [routeName(route), route] as const))(
  '%s executes a valid document',
  (_, { document }) => {
    expect(validate(schema, document.read())).toEqual([]);
  },
);

test.each(ROUTES.map((route) => [routeName(route), route] as const))(
  'docs/interface.md describes %s in the section that it references',
  (_, { path, reference }) => {
    const lastName = path
      .split('/')
      .filter((part) => !part.startsWith(':'))
      .at(-1)!;
    expect(sectionOf(reference)).toContain(lastName);
  },
);

describe.each(routeFiles)('%s', (file) => {
  const source = read(file);
  const documentFile = file.replace(/\.ts$/, '.graphql');

  test('is in the folder of the newest version of its paths', () => {
    const versions = [...source.matchAll(/\bv(\d)\b(?=[/'])/g)].map(([, version]) => Number(version));
    expect(Math.max(...versions.filter((version) => version > 0))).toBe(Number(VERSION_FOLDER.exec(file)![1]));
  });

  test('has a document of the same name with the operations it executes', () => {
    const executed = new Set([...source.matchAll(/\boperation\('(\w+)'\)/g)].map(([, name]) => name!));
    const defined = existsSync(join(FOLDER, documentFile)) ? operationNames(read(documentFile)) : [];
    expect([...defined].sort()).toEqual([...executed].sort());
  });
});

test('every document of a version has a route file of the same name', () => {
  expect(documentFiles.filter((file) => !routeFiles.includes(file.replace(/\.graphql$/, '.ts')))).toEqual([]);
});

test('every fragment is defined once', () => {
  const names = files
    .filter((file) => file.endsWith('.graphql'))
    .flatMap((file) => parse(read(file)).definitions)
    .map((definition) => `${definition.kind} ${'name' in definition ? definition.name!.value : print(definition)}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

function operationNames(source: string): string[] {
  return parse(source).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name!.value] : [],
  );
}

/** The text of a section of `docs/interface.md`, up to the next heading of its level or above. */
function sectionOf(anchor: string): string {
  const text = readFileSync(join(FOLDER, '..', 'docs', 'interface.md'), 'utf8');
  const sections = text.split(/^(?=#{2,4} )/m);
  const found = sections.find((section) => anchorOf(section) === anchor);
  return found ?? '';
}

/** GitHub's anchor of a heading. */
function anchorOf(section: string): string {
  const [, heading = ''] = /^#+ (.*)$/m.exec(section) ?? [];
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
