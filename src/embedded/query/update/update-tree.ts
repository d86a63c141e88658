import type { Document } from 'bson';
import {
  badValue,
  CommandError,
  describe,
  fieldOf,
  isDocument,
  MAX_ELEMENTS,
  setField,
  shallowCopy,
  spendSteps,
  tooManyElements,
} from '../../lib/index.ts';
import { isIdentical } from './identical.ts';

/** The context of a modifier. */
export interface ApplyState {
  /** The document before the update. */
  original: Document;
  isUpsertInsert: boolean;
  now: Date;
  /** The element index to which `$` refers; throws if the filter matched no array element. */
  position(): number;
  /** Whether the array filter `$[identifier]` selects an array element. */
  isChosen(identifier: string, element: unknown): boolean;
}

/** One operator on one path. */
export interface Modifier {
  /** Returns the new value; the same object if nothing changes; undefined to remove it or leave it missing. */
  apply(current: unknown, state: ApplyState): unknown;
  /** Whether a scalar or an array on its path is error 28. */
  needsPath: boolean | ((state: ApplyState) => boolean);
  /** Whether the value is moved to another path; the effect on `_id` is checked at the end. */
  isMoving?: boolean;
  /** Whether it adds elements: an `_id` that becomes an array has another error code than one set to an array. */
  isAdding?: boolean;
  /** Whether it only appended elements: a change event then contains these instead of the whole array. */
  hasAppended?(before: readonly unknown[], after: readonly unknown[]): boolean;
  /** Whether a change event contains its path even if the value did not change. */
  isNamedUnchanged?(state: ApplyState): boolean;
}

export type UpdateNode = { kind: 'leaf'; path: string; modifier: Modifier } | UpdateBranch;

export interface UpdateBranch {
  kind: 'branch';
  path: string;
  children: Map<string, UpdateNode>;
}

/** In updates any sequence of digits is an index, even `00`. */
const indexOf = (name: string): number | undefined => (/^\d+$/.test(name) ? Number(name) : undefined);

const isArrayChoice = (name: string): boolean => name.startsWith('$[') && name.endsWith(']');

const conflict = (path: string, at: string): CommandError =>
  new CommandError(40, `Updating the path '${path}' would create a conflict at '${at}'`);

/** Adds a modifier and calls `visit` for each component. @throws CommandError 40 for conflicting paths */
export function addModifier(
  root: UpdateBranch,
  path: string,
  modifier: Modifier,
  visit?: (part: string) => void,
): void {
  const parts = path.split('.');
  let branch = root;
  let here = '';
  for (const [i, part] of parts.entries()) {
    here = i === 0 ? part : `${here}.${part}`;
    const isLast = i === parts.length - 1;
    // All siblings are alike.
    const [sibling] = branch.children.keys();
    if (sibling !== undefined && isArrayChoice(sibling) !== isArrayChoice(part)) throw conflict(path, branch.path);
    visit?.(part);
    const child = branch.children.get(part);
    if (child && (isLast || child.kind === 'leaf')) throw conflict(path, here);
    if (isLast) branch.children.set(part, { kind: 'leaf', path, modifier });
    else if (child?.kind === 'branch') branch = child;
    else {
      const next: UpdateBranch = { kind: 'branch', path: here, children: new Map() };
      branch.children.set(part, next);
      branch = next;
    }
  }
}

/** The order in which MongoDB visits fields and adds new ones: lexicographic, but numbers by value. */
export function sortTree(branch: UpdateBranch): UpdateBranch {
  const children = [...branch.children].sort(([a], [b]) => comparePathParts(a, b));
  branch.children = new Map(children.map(([name, child]) => [name, child.kind === 'branch' ? sortTree(child) : child]));
  return branch;
}

function comparePathParts(a: string, b: string): number {
  const isNumeric = indexOf(a) !== undefined && indexOf(b) !== undefined;
  if (isNumeric && a.length !== b.length) return a.length - b.length;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Applies a node to a value; returns the same value if nothing changes. */
export function applyNode(node: UpdateNode, current: unknown, state: ApplyState): unknown {
  if (node.kind === 'leaf') return node.modifier.apply(current, state);
  if (isElementChoice(node)) return applyToChosen(node, current, state);
  const { children } = withPosition(node, state);
  if (Array.isArray(current)) return applyToArray(node, children, current, state);
  if (current !== undefined && !isDocument(current)) {
    for (const [name, child] of children) assertNotNeeded(child, state, () => notViable(name, node.path, current));
    return current;
  }
  return applyToDocument(children, current, state);
}

function applyToDocument(
  children: UpdateBranch['children'],
  current: Document | undefined,
  state: ApplyState,
): unknown {
  let result = current;
  for (const [name, child] of children) {
    const before = current && fieldOf(current, name);
    const after = applyNode(child, before, state);
    if (after === before) continue;
    const isMoving = child.kind === 'leaf' && child.modifier.isMoving;
    if (
      name === '_id' &&
      current === state.original &&
      before !== undefined &&
      !isMoving &&
      !isIdentical(before, after)
    ) {
      throw new CommandError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
    if (result === current) result = current ? shallowCopy(current) : {};
    if (after === undefined) delete result![name];
    else setField(result!, name, after);
  }
  return result;
}

/** The maximum number of elements by which MongoDB pads an array. */
const MAX_PADDING = 1_500_000;

function applyToArray(
  node: UpdateBranch,
  children: UpdateBranch['children'],
  current: readonly unknown[],
  state: ApplyState,
): unknown {
  let result: unknown[] | undefined;
  for (const [name, child] of children) {
    const index = indexOf(name);
    if (index === undefined) {
      assertNotNeeded(child, state, () => notViable(name, node.path, current));
      continue;
    }
    const before = current[index];
    const after = applyNode(child, before, state);
    if (after === before) continue;
    if (index - current.length > MAX_PADDING) {
      throw badValue(`can't backfill more than ${MAX_PADDING} elements`);
    }
    // Refused before it takes memory.
    if (index > Math.max(MAX_ELEMENTS, current.length)) throw tooManyElements();
    spendSteps(Math.max(0, index - current.length) / 8);
    result ??= [...current];
    while (result.length < index) result.push(null);
    result[index] = after === undefined ? null : after;
  }
  return result ?? current;
}

/** Evaluation steps for changing one element selected by `$[]`. */
const ELEMENT_STEPS = 4;

function applyToChosen(node: UpdateBranch, current: unknown, state: ApplyState): unknown {
  if (current === undefined) throw mustExist(node.path);
  if (!Array.isArray(current)) {
    throw badValue(`Cannot apply array updates to non-array element ${node.path}: ${describe(current)}`);
  }
  spendSteps(current.length * node.children.size * ELEMENT_STEPS);
  let isChanged = false;
  const result = current.map((element) => {
    const merged = nodeForElement(node, element, state);
    if (!merged) return element;
    const after = applyNode(merged, element, state);
    isChanged ||= after !== element;
    return after === undefined ? null : after;
  });
  return isChanged ? result : current;
}

/** The changes to an array element selected by `$[]` or `$[name]`; undefined if it is not selected. */
export function nodeForElement(node: UpdateBranch, element: unknown, state: ApplyState): UpdateNode | undefined {
  const chosen = [...node.children].filter(([name]) => name === '$[]' || state.isChosen(name.slice(2, -1), element));
  return chosen.length === 0 ? undefined : chosen.map(([, child]) => child).reduce(mergeNodes);
}

/** Whether the branch selects array elements instead of naming fields. */
export function isElementChoice({ children }: UpdateBranch): boolean {
  const [first] = children.keys();
  return first !== undefined && isArrayChoice(first);
}

/** The branch with `$` replaced by the matched index. */
export function withPosition(node: UpdateBranch, state: ApplyState): UpdateBranch {
  const positional = node.children.get('$');
  if (!positional) return node;
  const children = new Map(node.children);
  const name = String(state.position());
  const same = children.get(name);
  children.delete('$');
  children.set(name, same ? mergeNodes(same, positional) : positional);
  return sortTree({ ...node, children });
}

function mergeNodes(a: UpdateNode, b: UpdateNode): UpdateNode {
  if (a.kind === 'leaf' || b.kind === 'leaf') throw conflict(b.path, a.path);
  const children = new Map(a.children);
  for (const [name, child] of b.children) {
    const same = children.get(name);
    children.set(name, same ? mergeNodes(same, child) : child);
  }
  return sortTree({ ...a, children });
}

/** Paths through a scalar cannot be created; reports the first error as MongoDB does. */
function assertNotNeeded(node: UpdateNode, state: ApplyState, failure: () => CommandError): void {
  if (node.kind === 'leaf') {
    const { needsPath } = node.modifier;
    if (typeof needsPath === 'function' ? needsPath(state) : needsPath) throw failure();
    return;
  }
  for (const [name, child] of node.children) {
    if (isArrayChoice(name)) throw mustExist(node.path);
    if (name === '$') state.position();
    assertNotNeeded(child, state, failure);
  }
}

const mustExist = (path: string): CommandError =>
  badValue(`The path '${path}' must exist in the document in order to apply array updates.`);

const notViable = (name: string, path: string, value: unknown): CommandError =>
  new CommandError(28, `Cannot create field '${name}' in element {${path.split('.').at(-1)}: ${describe(value)}}`);
