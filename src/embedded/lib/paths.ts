import type { Document } from 'bson';
import { CommandError } from './errors.ts';
import { spendSteps } from './steps.ts';
import { fieldOf, isDocument } from './values.ts';

/**
 * Receives each value of a walk; returns true to stop. `position` is the index in the outermost array that was entered
 * without a numeric component.
 */
export type Visit = (value: unknown, position: number | undefined) => boolean;

const NUMERIC = /^(0|[1-9]\d*)$/;

/** The array index a path component names, or undefined. */
export const arrayIndexOf = (component: string): number | undefined =>
  NUMERIC.test(component) ? Number(component) : undefined;

const childOf = (context: unknown, component: string): unknown => {
  if (!Array.isArray(context)) return isDocument(context) ? fieldOf(context, component) : undefined;
  const index = arrayIndexOf(component);
  return index === undefined ? undefined : context[index];
};

export interface PathWalk {
  parts: readonly string[];
  /** Whether an array at the end of the path also yields its elements (before itself). */
  expandsLeaf: boolean;
}

/**
 * Walks a dotted path as a filter does: it enters arrays on the path and follows each document in them, and a numeric
 * component also selects an element. Calls `visit` with undefined where a document lacks the path; an array of scalars
 * on the path yields nothing.
 */
export function visitPath(
  context: unknown,
  walk: PathWalk,
  visit: Visit,
  from = 0,
  position: number | undefined = undefined,
): boolean {
  const { parts } = walk;
  let value = childOf(context, parts[from]!);
  let next = from + 1;
  while (next < parts.length && !Array.isArray(value)) {
    if (!isDocument(value)) return visit(undefined, position);
    value = fieldOf(value, parts[next++]!);
  }
  if (!Array.isArray(value)) return visit(value, position);
  if (next < parts.length) return visitElements(value, walk, visit, next, position);
  spendSteps(value.length);
  if (walk.expandsLeaf && value.some((element, index) => visit(element, position ?? index))) return true;
  return visit(value, position);
}

function visitElements(
  array: readonly unknown[],
  walk: PathWalk,
  visit: Visit,
  next: number,
  position: number | undefined,
): boolean {
  const { parts } = walk;
  for (const [index, element] of array.entries()) {
    const outer = position ?? index;
    if (isDocument(element) && visitPath(element, walk, visit, next, outer)) return true;
    if (parts[next] !== String(index)) continue;
    if (next + 1 === parts.length) {
      if (visit(element, position)) return true;
    } else if (Array.isArray(element)) {
      if (visitElements(element, walk, visit, next + 1, position)) return true;
    } else if (isDocument(element) && visitPath(element, walk, visit, next + 1, position)) return true;
  }
  return false;
}

/** The values at a path, with arrays expanded into their elements; none for a missing path. */
export function valuesAt(document: Document, path: string): unknown[] {
  const values: unknown[] = [];
  visitPath(document, { parts: path.split('.'), expandsLeaf: false }, (value) => {
    if (Array.isArray(value)) values.push(...value);
    else if (value !== undefined) values.push(value);
    return false;
  });
  return values;
}

/** The values that `distinct` reads at a path: like {@link valuesAt}, but a number after an array is only an index. */
export function distinctValues(value: unknown, parts: readonly string[], isLast = parts.length === 0): unknown[] {
  if (isLast) return value === undefined ? [] : Array.isArray(value) ? value : [value];
  const [first = '', ...rest] = parts;
  if (!Array.isArray(value)) return isDocument(value) ? distinctValues(fieldOf(value, first), rest) : [];
  const index = arrayIndexOf(first);
  if (index !== undefined) return distinctValues(value[index], rest);
  return value.filter(isDocument).flatMap((element) => distinctValues(element, parts));
}

interface IndexWalk {
  /** The remaining components of each path; empty once its value is known. */
  rests: readonly (readonly string[])[];
  fixed: readonly unknown[];
  /** For a numeric component after an array: the selected element. */
  named: readonly ({ element: unknown; rest: readonly string[] } | undefined)[];
  notFound: number;
}

export const tooManyKeys = (limit: string): CommandError =>
  new CommandError(201, `Too many index keys generated for document: more than ${limit} (limit of the embedded store)`);

/** Evaluation steps for generating and deduplicating one key. */
export const KEY_STEPS = 8;

/**
 * The keys of a document in an index on `paths`: one tuple for each element of an indexed array, equal ones included. A missing
 * value is indexed as null, an empty array as undefined. With `isSparse`, tuples without any value are omitted.
 *
 * @throws CommandError 171 for two different arrays in one tuple, 201 for more than `most` tuples
 */
export function indexKeys(
  document: Document,
  paths: readonly string[],
  options: { isSparse?: boolean; most?: number } = {},
): unknown[][] {
  const tuples: unknown[][] = [];
  const rests = paths.map((path) => path.split('.'));
  collect(document, { rests, fixed: [], named: [], notFound: 0 }, (tuple, notFound) => {
    spendSteps(KEY_STEPS);
    if (!options.isSparse || notFound < paths.length) tuples.push(tuple);
    if (options.most && tuples.length > options.most) {
      throw tooManyKeys(`${options.most}`);
    }
  });
  return tuples;
}

/** Whether a sparse index on `paths` has no entry for the document. */
export const isSparseMissing = (document: Document, paths: readonly string[]): boolean =>
  indexKeys(document, paths, { isSparse: true }).length === 0;

type Emit = (tuple: unknown[], notFound: number) => void;

function collect(context: unknown, walk: IndexWalk, emit: Emit): void {
  const fixed = [...walk.fixed];
  const rests = [...walk.rests];
  const arrays: number[] = [];
  let array: unknown[] | undefined;
  let arrayPath = '';
  let arrayPlace = '';
  let { notFound } = walk;
  // An array selected by its index inside another array counts as one value.
  let isWhole = false;
  for (let i = 0; i < rests.length; i++) {
    if (rests[i]!.length === 0) continue;
    const found = nextValue(context, rests[i]!, walk.named[i]);
    isWhole ||= Array.isArray(walk.named[i]?.element);
    rests[i] = found.rest;
    if (found.value === undefined) {
      fixed[i] = null;
      rests[i] = [];
      notFound++;
    } else if (!Array.isArray(found.value)) {
      fixed[i] = found.value;
    } else {
      const path = walk.rests[i]!;
      // Identified by its path: a pipeline stage may have stored one array object under two paths.
      const place = path.slice(0, path.length - found.rest.length).join('.');
      if (array !== undefined && place !== arrayPlace) throw parallelArrays(path.join('.'), arrayPath);
      array = found.value;
      arrayPath = path.join('.');
      arrayPlace = place;
      arrays.push(i);
    }
  }
  if (array === undefined) {
    emit(fixed, notFound);
    return;
  }
  const named = arrays.map((i) => namedElement(array, rests[i]!));
  const entries = array.length === 0 ? [undefined] : array;
  const isEnd = rests.every((rest) => rest.length === 0);
  for (const entry of entries) {
    const inner = [...fixed];
    const innerNamed: ReturnType<typeof namedElement>[] = [];
    for (const [n, i] of arrays.entries()) {
      if (rests[i]!.length === 0) inner[i] = isWhole && entry !== undefined ? array : entry;
      else innerNamed[i] = named[n];
    }
    if (isEnd) emit(inner, notFound);
    else collect(isDocument(entry) ? entry : {}, { rests, fixed: inner, named: innerNamed, notFound }, emit);
  }
}

function namedElement(array: readonly unknown[], rest: readonly string[]) {
  const index = rest.length === 0 ? undefined : arrayIndexOf(rest[0]!);
  if (index === undefined || index >= array.length) return undefined;
  return { element: array[index], rest: rest.slice(1) };
}

function nextValue(context: unknown, parts: readonly string[], named: IndexWalk['named'][number]) {
  if (named) {
    if (childOf(context, parts[0]!) !== undefined) {
      throw new CommandError(
        16746,
        `Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '${parts[0]}'`,
      );
    }
    return follow(named.element, named.rest);
  }
  return follow(childOf(context, parts[0]!), parts.slice(1));
}

/** Follows a path through documents to its end or to the first array. */
function follow(start: unknown, parts: readonly string[]): { value: unknown; rest: readonly string[] } {
  let value = start;
  for (const [i, part] of parts.entries()) {
    if (Array.isArray(value)) return { value, rest: parts.slice(i) };
    if (!isDocument(value)) return { value: undefined, rest: [] };
    value = fieldOf(value, part);
  }
  return { value, rest: [] };
}

const parallelArrays = (path: string, other: string): CommandError =>
  new CommandError(171, `cannot index parallel arrays [${path.split('.')[0]}] [${other.split('.')[0]}]`);
