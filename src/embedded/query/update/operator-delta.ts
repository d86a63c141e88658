import type { Document } from 'bson';
import { fieldOf, isDocument } from '../../lib/index.ts';
import { type Delta, type DocumentDelta, newArrayDelta, newDocumentDelta } from './update-delta.ts';
import {
  type ApplyState,
  isElementChoice,
  nodeForElement,
  type UpdateBranch,
  type UpdateNode,
  withPosition,
} from './update-tree.ts';

/**
 * The changes made by update operators, reported at the operators' paths: a new path at its first new field, an
 * assigned value as a whole, appended elements one by one. Relies on `applyNode` returning the same objects for
 * unchanged values.
 */
export function operatorDelta(root: UpdateBranch, before: Document, after: Document, state: ApplyState): DocumentDelta {
  return ofDocument(root, before, after, state);
}

function ofDocument(node: UpdateBranch, before: Document, after: Document, state: ApplyState): DocumentDelta {
  const delta = newDocumentDelta();
  for (const [name, child] of withPosition(node, state).children) {
    const [was, is] = [fieldOf(before, name), fieldOf(after, name)];
    if (was === is && !isNamedUnchanged(child, state)) continue;
    if (is === undefined) delta.removed.push(name);
    else if (was === undefined) delta.inserted.push([name, is]);
    else {
      const inner = innerDelta(child, was, is, state);
      if (inner) delta.inner.push([name, inner]);
      else delta.updated.push([name, is]);
    }
  }
  return delta;
}

const isNamedUnchanged = (node: UpdateNode, state: ApplyState): boolean =>
  node.kind === 'leaf' && node.modifier.isNamedUnchanged?.(state) === true;

/** The changes within a value; undefined if it is reported as a whole. */
function innerDelta(node: UpdateNode, was: unknown, is: unknown, state: ApplyState): Delta | undefined {
  if (node.kind === 'leaf') {
    const hasAppended = Array.isArray(was) && Array.isArray(is) && node.modifier.hasAppended?.(was, is);
    return hasAppended ? appended(was, is) : undefined;
  }
  if (Array.isArray(was) && Array.isArray(is)) {
    return isElementChoice(node) ? ofChosen(node, was, is, state) : ofArray(node, was, is, state);
  }
  return isDocument(was) && isDocument(is) ? ofDocument(node, was, is, state) : undefined;
}

function appended(was: readonly unknown[], is: readonly unknown[]): Delta {
  const items = is.slice(was.length).map((value, i): [number, { value: unknown }] => [was.length + i, { value }]);
  return { ...newArrayDelta(), items };
}

function ofArray(node: UpdateBranch, was: readonly unknown[], is: readonly unknown[], state: ApplyState): Delta {
  const delta = newArrayDelta();
  for (const [name, child] of withPosition(node, state).children) {
    const index = Number(name);
    if (was[index] === is[index]) continue;
    const inner = index < was.length ? innerDelta(child, was[index], is[index], state) : undefined;
    delta.items.push([index, inner ?? { value: is[index] }]);
  }
  return delta;
}

/** MongoDB reports changes inside an element only if a single one was selected, else the whole array. */
function ofChosen(
  node: UpdateBranch,
  was: readonly unknown[],
  is: readonly unknown[],
  state: ApplyState,
): Delta | undefined {
  const chosen = was.flatMap((element, index) => {
    const child = nodeForElement(node, element, state);
    return child ? [{ index, child }] : [];
  });
  const changed = chosen.filter(({ index }) => was[index] !== is[index]);
  const [only, ...others] = changed;
  if (!only || others.length > 0) return undefined;
  const { index, child } = only;
  const inner = chosen.length === 1 ? innerDelta(child, was[index], is[index], state) : undefined;
  return { ...newArrayDelta(), items: [[index, inner ?? { value: is[index] }]] };
}
