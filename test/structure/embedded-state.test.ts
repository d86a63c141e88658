import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', 'src', 'embedded');

/** The only variables of modules of the embedded store that change after loading, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'index.ts checkedFolders': 'a fact about the process: it holds the lock of these folders, so their files are its own',
  'lib/steps.ts spent': 'counts the work of one synchronous run of the thread; see the comment there',
  'lib/steps.ts maxSteps': 'counts the work of one synchronous run of the thread; see the comment there',
  'query/filter/regex.ts cache': 'at most 16 compiled patterns, which depend on nothing but their key',
  // Properties of objects, kept outside of the objects: an entry ends with its key.
  'change-streams/event.ts plainEvents': 'encoded events, by log entry',
  'query/expression/constant-folding.ts CONSTANTS': 'a mark on compiled expressions',
  'query/expression/constant-folding.ts OPERANDS': 'the operands of compiled expressions',
  'storage/padded-value.ts paddings': 'the unused end of a buffer, by buffer',
};

const CALLS = 'set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|write\\w*|copy';

/** The top-level variables of a module that it reassigns or changes in place. */
function changingVariables(source: string): string[] {
  const reassigned = [...source.matchAll(/^(?:export )?(?:let|var) (\w+)/gm)].map(([, name]) => name!);
  return [...reassigned, ...namesOf(source).filter((name) => isChanged(source, name))];
}

const namesOf = (source: string): string[] =>
  [...source.matchAll(/^(?:export )?const (\w+)/gm)].map(([, name]) => name!);

/** The imported variables that a module changes in place. */
const changedImports = (source: string): string[] =>
  [...source.matchAll(/^import \{([^}]*)\} from '\./gm)]
    .flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
    .filter((name) => /^\w+$/.test(name) && isChanged(source, name));

const isChanged = (source: string, name: string): boolean =>
  new RegExp(
    `(?<![\\w.#])${name}(?:\\.(?:${CALLS})\\(|(?:\\.\\w+|\\[[^\\]]+\\])+ (?:[-+*|&?]{0,2}=) |(?:\\.\\w+)+(?:\\+\\+|--))`,
  ).test(source);

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(ROOT, path), source: readFileSync(path, 'utf8') }));

test('recognizes variables that change after their module was loaded', () => {
  const source = [
    'export let a = 1;',
    'const b = new Map();',
    'const c = [];',
    'const d = { count: 0 };',
    'const e = {};',
    'const fixed = new Set([1]);',
    'b.set(1, 2);',
    '  c.push(1);',
    '  d.count++;',
    '  e[b] = fixed.has(1) && d.count === 1;',
  ].join('\n');
  expect(changingVariables(source)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(changedImports(`import { f, g, type H } from './f.ts';\n\nf.add(g.size);`)).toEqual(['f']);
});

test('modules of the embedded store have no state, apart from what is justified here', () => {
  const found = files.flatMap(({ path, source }) => changingVariables(source).map((name) => `${path} ${name}`));
  expect(found.sort()).toEqual(Object.keys(ALLOWED).sort());
});

test('modules of the embedded store do not change the variables of other modules', () => {
  expect(files.flatMap(({ path, source }) => changedImports(source).map((name) => `${path} ${name}`))).toEqual([]);
});
