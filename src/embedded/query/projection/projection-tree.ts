import type { Document } from 'bson';
import { CommandError, entriesOf, fieldOf, isDocument, setField, shallowCopy } from '../../lib/index.ts';
import type { Evaluate } from '../expression/expression.ts';

/** The action of a projection on one field: include, exclude or compute it, or recurse into it. */
export type FieldAction =
  | { kind: 'include' | 'exclude' }
  | { kind: 'compute'; evaluate: Evaluate }
  | { kind: 'slice'; slice: (array: unknown[]) => unknown[] }
  | ProjectionTree;

export interface ProjectionTree {
  kind: 'tree';
  fields: Map<string, FieldAction>;
}

export const newTree = (): ProjectionTree => ({ kind: 'tree', fields: new Map() });

/** Adds an action at a path. @throws CommandError 31249, 31250 or `code` for a path collision */
export function addAction(tree: ProjectionTree, parts: readonly string[], action: FieldAction, code?: number): void {
  let node = tree;
  for (let i = 0; i < parts.length - 1; i++) {
    const part = parts[i]!;
    const next = node.fields.get(part);
    if (next && next.kind !== 'tree') {
      throw new CommandError(
        code ?? 31249,
        `Path collision at ${parts.join('.')} remaining portion ${parts.slice(i + 1).join('.')}`,
      );
    }
    const child = next ?? newTree();
    node.fields.set(part, child);
    node = child;
  }
  const last = parts.at(-1)!;
  if (node.fields.has(last)) throw new CommandError(code ?? 31250, `Path collision at ${parts.join('.')}`);
  node.fields.set(last, action);
}

/** Asserts that a nested specification is not at the path of another field (error 31250) nor inside of it (31249). */
export function assertNoLeaf(tree: ProjectionTree, parts: readonly string[]): void {
  let node: FieldAction | undefined = tree;
  for (const part of parts) {
    if (node && node.kind !== 'tree') throw new CommandError(31249, `Path collision at ${parts.join('.')}`);
    node = node?.fields.get(part);
  }
  if (node && node.kind !== 'tree') throw new CommandError(31250, `Path collision at ${parts.join('.')}`);
}

/** Includes only the fields of the tree, in the document's order; in arrays, only documents and arrays are kept. */
export function applyInclusion(tree: ProjectionTree, document: Document): Document {
  const result: Document = {};
  for (const [name, value] of entriesOf(document)) {
    const action = tree.fields.get(name);
    if (!action || action.kind === 'exclude' || action.kind === 'compute') continue;
    const kept = action.kind === 'tree' ? includeWithin(action, value) : value;
    // Keeps the position for a computed field inside.
    if (kept !== undefined || computes(action)) setField(result, name, kept);
  }
  return result;
}

function includeWithin(tree: ProjectionTree, value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.map((element) => includeWithin(tree, element));
    // Keeps the positions of scalars if a field is computed inside the array.
    return computes(tree) ? kept : kept.filter((element) => element !== undefined);
  }
  return isDocument(value) ? applyInclusion(tree, value) : undefined;
}

/** Excludes the fields of the tree. */
export function applyExclusion(tree: ProjectionTree, document: Document): Document {
  const result: Document = {};
  for (const [name, value] of entriesOf(document)) {
    const action = tree.fields.get(name);
    if (action?.kind === 'exclude') continue;
    setField(result, name, action?.kind === 'tree' ? excludeWithin(action, value) : value);
  }
  return result;
}

function excludeWithin(tree: ProjectionTree, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => excludeWithin(tree, element));
  return isDocument(value) ? applyExclusion(tree, value) : value;
}

const computes = (action: FieldAction): boolean =>
  action.kind === 'compute' || (action.kind === 'tree' && [...action.fields.values()].some(computes));

/** Sets the computed fields: existing ones keep their position, new ones follow in the order of the specification. */
export function applyComputed(
  tree: ProjectionTree,
  root: Document,
  target: Document,
  variables?: Parameters<Evaluate>[1],
): Document {
  const result = shallowCopy(target);
  for (const [name, action] of tree.fields) {
    if (!computes(action)) continue;
    const value =
      action.kind === 'compute'
        ? action.evaluate(root, variables)
        : computeWithin(action as ProjectionTree, root, fieldOf(result, name), variables);
    if (value === undefined) delete result[name];
    else setField(result, name, value);
  }
  return result;
}

function computeWithin(
  tree: ProjectionTree,
  root: Document,
  value: unknown,
  variables?: Parameters<Evaluate>[1],
): unknown {
  if (Array.isArray(value)) return value.map((element) => computeWithin(tree, root, element, variables));
  return applyComputed(tree, root, isDocument(value) ? value : {}, variables);
}

/** Applies `$slice` to the arrays at its paths. */
export function applySlices(tree: ProjectionTree, document: Document): Document {
  const result = shallowCopy(document);
  for (const [name, action] of tree.fields) {
    const value = fieldOf(result, name);
    if (action.kind === 'slice' && Array.isArray(value)) setField(result, name, action.slice(value));
    if (action.kind === 'tree' && value !== undefined) setField(result, name, sliceWithin(action, value));
  }
  return result;
}

function sliceWithin(tree: ProjectionTree, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => sliceWithin(tree, element));
  return isDocument(value) ? applySlices(tree, value) : value;
}
