import { DBRef, type Document } from 'bson';
import {
  CommandError,
  entriesOf,
  fieldOf,
  isDocument,
  isNumber,
  isTruthy,
  notSupported,
  type Projection,
  spendSteps,
  toNumber,
} from '../../lib/index.ts';
import { type CompileContext, deferFoldErrors } from '../compile-context.ts';
import { compileExpression, isExpressionName, type Variables } from '../expression/expression.ts';
import { fieldPathParts } from '../expression/field-path.ts';
import { compileFilter } from '../filter/filter.ts';
import { compileFieldSelection } from '../top-level-fields.ts';
import {
  addAction,
  applyComputed,
  applyExclusion,
  applyInclusion,
  applySlices,
  assertNoLeaf,
  newTree,
  type ProjectionTree,
} from './projection-tree.ts';

/** Evaluation steps for compiling one field. */
const FIELD_STEPS = 50;

interface Draft {
  tree: ProjectionTree;
  /** Whether the fields other than `_id` are included or excluded. */
  mode: 'inclusion' | 'exclusion' | undefined;
  idMode: 'inclusion' | 'exclusion' | undefined;
  isAggregation: boolean;
  context: CompileContext;
  variables: Variables;
  has: { computed: boolean; slice: boolean; elemMatch: boolean };
}

/**
 * Compiles a projection: inclusion or exclusion (mixing them is error 31253 or 31254), computed fields, and in `find`
 * also `$slice` and `$elemMatch`. With `isAggregation` it has the semantics of the `$project` stage.
 */
export function compileProjection(
  spec: Document,
  options: { context: CompileContext; isAggregation?: boolean; variables?: Variables },
): Projection {
  return deferFoldErrors(options.context, (context) => {
    const draft: Draft = {
      tree: newTree(),
      mode: undefined,
      idMode: undefined,
      isAggregation: options.isAggregation ?? false,
      context,
      variables: options.variables ?? {},
      has: { computed: false, slice: false, elemMatch: false },
    };
    for (const [name, value] of entriesOf(spec)) addField(draft, [], name, value);
    const isInclusion = selectsIncluded(draft);
    if (isInclusion && !draft.tree.fields.has('_id')) {
      draft.tree.fields = new Map([['_id', { kind: 'include' }], ...draft.tree.fields]);
    }
    // A pipeline has no bytes of its documents.
    const selectBytes = draft.isAggregation ? undefined : selectionOf(draft, isInclusion);
    return { apply: applier(draft, isInclusion), selectBytes };
  });
}

/** Whether fields that the projection does not name are left out. */
function selectsIncluded({ mode, idMode, has }: Draft): boolean {
  return mode ? mode === 'inclusion' : idMode === 'inclusion' || (has.elemMatch && !has.slice);
}

/** A projection that only includes or excludes top-level fields copies their bytes. */
function selectionOf({ tree }: Draft, isInclusion: boolean): Projection['selectBytes'] {
  const named = [...tree.fields];
  if (named.some(([, { kind }]) => kind !== 'include' && kind !== 'exclude')) return undefined;
  const kind = isInclusion ? 'include' : 'exclude';
  const names = named.filter(([, action]) => action.kind === kind).map(([name]) => name);
  return compileFieldSelection(names, { isIncluded: isInclusion });
}

function applier({ tree, has, variables }: Draft, isInclusion: boolean): Projection['apply'] {
  return (document) => {
    let result = isInclusion ? applyInclusion(tree, document) : applyExclusion(tree, document);
    if (has.slice) result = applySlices(tree, result);
    return has.computed || has.elemMatch ? applyComputed(tree, document, result, variables) : result;
  };
}

function addField(draft: Draft, parents: readonly string[], name: string, value: unknown): void {
  if (!draft.isAggregation && (name === '$' || name.endsWith('.$'))) throw notSupported('a positional projection', 2);
  spendSteps(FIELD_STEPS);
  const parts = [...parents, ...fieldPathParts(name)];
  if (typeof value === 'boolean' || isNumber(value)) {
    addSwitch(draft, parts, isTruthy(value));
    return;
  }
  if (!isDocument(value) || value instanceof DBRef) {
    addComputed(draft, parts, value);
    return;
  }
  const entries = entriesOf(value);
  if (entries.length === 0) {
    throw new CommandError(
      51270,
      `An empty sub-projection is not a valid value. Found empty object at path ${parts.join('.')}`,
    );
  }
  const isOperator = entries.length === 1 && entries[0]![0].startsWith('$');
  if (isOperator && !isExpressionName(entries[0]![0]) && !FIND_OPERATORS.has(entries[0]![0])) {
    throw notSupported(`Unknown expression ${entries[0]![0]}`, 31325);
  }
  if (!isOperator) {
    assertNoLeaf(draft.tree, parts);
    for (const [child, inner] of entries) addField(draft, parts, child, inner);
  } else if (draft.isAggregation || !addFindOperator(draft, parts, value)) {
    addComputed(draft, parts, value);
  }
}

function addSwitch(draft: Draft, parts: readonly string[], isIncluded: boolean): void {
  const mode = isIncluded ? 'inclusion' : 'exclusion';
  addAction(draft.tree, parts, { kind: isIncluded ? 'include' : 'exclude' });
  if (parts.length === 1 && parts[0] === '_id') draft.idMode = mode;
  else setMode(draft, mode, parts);
}

function addComputed(draft: Draft, parts: readonly string[], value: unknown): void {
  if (draft.mode === 'exclusion' && isDocument(value)) throw computedInExclusion();
  const evaluate = compileExpression(value, draft.context, Object.keys(draft.variables));
  addAction(draft.tree, parts, { kind: 'compute', evaluate });
  if (draft.mode === 'exclusion') {
    throw new CommandError(31310, 'Cannot use an expression in an exclusion projection');
  }
  draft.mode = 'inclusion';
  draft.has.computed = true;
}

function setMode(draft: Draft, mode: 'inclusion' | 'exclusion', parts: readonly string[]): void {
  if (draft.mode && draft.mode !== mode) {
    const path = parts.join('.');
    if (mode === 'inclusion')
      throw new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    throw new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
  }
  draft.mode = mode;
}

const FIND_OPERATORS = new Set(['$meta', '$elemMatch']);

/** Compiles the operators that only `find` supports; returns false for an expression. */
function addFindOperator(draft: Draft, parts: readonly string[], value: Document): boolean {
  if ('$meta' in value) throw notSupported('$meta', 2);
  if ('$elemMatch' in value) {
    addElemMatch(draft, parts, value.$elemMatch);
    return true;
  }
  if (!('$slice' in value)) return false;
  // MongoDB parses any other `$slice` as the expression of that name, which an exclusion must not contain.
  if (isNoSlice(value.$slice)) throw draft.mode === 'exclusion' ? computedInExclusion() : invalidSlice();
  const slice = parseSlice(value.$slice);
  if (!slice) return false;
  draft.has.slice = true;
  try {
    addAction(draft.tree, parts, { kind: 'slice', slice });
  } catch (collision) {
    if (draft.mode === 'exclusion') throw computedInExclusion();
    throw Array.isArray(value.$slice) ? collision : invalidSlice();
  }
  return true;
}

const computedInExclusion = (): CommandError =>
  new CommandError(31252, 'Cannot use expression other than $meta in exclusion projection');
const invalidSlice = (): CommandError =>
  new CommandError(28667, 'Invalid $slice syntax. The given syntax did not match the find() syntax');

/** Whether the argument fits neither the `$slice` of `find` nor, by its length, the expression. */
const isNoSlice = (argument: unknown): boolean =>
  !isNumber(argument) && !(Array.isArray(argument) && (argument.length === 2 || argument.length === 3));

function addElemMatch(draft: Draft, parts: readonly string[], condition: unknown): void {
  if (!isDocument(condition)) throw new CommandError(31274, 'elemMatch: Invalid argument, object required');
  if (parts.length > 1) throw new CommandError(31275, 'Cannot use $elemMatch projection on a nested field.');
  const [name] = parts as [string];
  const element = compileFilter({ [name]: { $elemMatch: condition } }, draft.context);
  draft.has.elemMatch = true;
  addAction(draft.tree, parts, {
    kind: 'compute',
    evaluate: (document) => {
      const array = fieldOf(document, name);
      const found = Array.isArray(array) ? array.find((item) => element.matches({ [name]: [item] })) : undefined;
      return found === undefined ? undefined : [found];
    },
  });
}

/** Compiles the `$slice` of `find`; undefined for the expression. */
function parseSlice(argument: unknown): ((array: unknown[]) => unknown[]) | undefined {
  if (isNumber(argument)) {
    const count = Math.trunc(toNumber(argument));
    return (array) => (count === 0 ? [] : count > 0 ? array.slice(0, count) : array.slice(count));
  }
  if (!Array.isArray(argument) || argument.length !== 2 || !isNumber(argument[0])) return undefined;
  const [skip, limit] = argument.map((item) => Math.trunc(toNumber(item))) as [number, number];
  // MongoDB parses anything else as the expression of that name.
  if (!(limit > 0)) return undefined;
  return (array) => {
    const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
    return array.slice(start, start + limit);
  };
}
