import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** What one operation may ask at most, whatever door it comes through. */
export const OPERATION_LIMITS = {
  /** Lexical tokens of a document that did not come with the gateway. */
  tokens: 6_000,
  /** Fields inside fields, fragments spread. */
  depth: 24,
  /** Records and fields an answer could hold at most; see {@link measure}. */
  cost: 60_000,
  /** Beyond this many fields an operation from outside is not compiled: compiling takes time for each. */
  compiledFields: 800,
} as const;

/** A leaf is cheap beside a field that has fields of its own and so may load a record. */
const LEAF_COST = 0.05;
/** What a list argument stands for when neither the document nor the variables say. */
const DEFAULT_PAGE = 10;

export interface Measure {
  depth: number;
  /** Upper bound of the answer's size: nested `first`/`last`/`limit` multiply; aliases and `__typename` count. */
  cost: number;
  /** Fields of the document with every fragment written out, pages not multiplied. */
  fields: number;
}

interface Fragments {
  [name: string]: FragmentDefinitionNode;
}

/**
 * Measures an operation in time linear in the document: each fragment is measured once, so that fragments that
 * spread one another (2^N fields from N lines) cost no more to refuse than to write. The document must be valid, so
 * that fragments do not spread themselves.
 */
export function measure(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: { readonly [name: string]: unknown },
): Measure {
  const known = new Map<string, Measure>();

  function ofSet(set: SelectionSetNode): Measure {
    let depth = 0;
    let cost = 0;
    let fields = 0;
    for (const selection of set.selections) {
      const inner =
        selection.kind === Kind.FIELD
          ? ofField(selection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? ofSet(selection.selectionSet)
            : ofFragment(selection.name.value);
      depth = Math.max(depth, inner.depth);
      cost += inner.cost;
      fields += inner.fields;
    }
    return { depth, cost, fields };
  }

  function ofField(field: FieldNode): Measure {
    if (!field.selectionSet) return { depth: 1, cost: LEAF_COST, fields: 1 };
    const inner = ofSet(field.selectionSet);
    return { depth: inner.depth + 1, cost: 1 + pageSize(field) * inner.cost, fields: inner.fields + 1 };
  }

  function ofFragment(name: string): Measure {
    let measured = known.get(name);
    if (!measured) {
      const fragment = fragments[name];
      measured = fragment ? ofSet(fragment.selectionSet) : { depth: 0, cost: 0, fields: 0 };
      known.set(name, measured);
    }
    return measured;
  }

  function pageSize(field: FieldNode): number {
    let size = 1;
    for (const argument of field.arguments ?? []) {
      const name = argument.name.value;
      if (name === 'first' || name === 'last') size = Math.max(size, integer(argument.value));
      else if (name === 'ids' || name.endsWith('Ids')) size = Math.max(size, length(argument.value));
    }
    if (size === 1 && isConnection(field)) return DEFAULT_PAGE;
    return size;
  }

  function integer(value: ValueNode): number {
    const number =
      value.kind === Kind.INT ? Number(value.value) : value.kind === Kind.VARIABLE ? variables[value.name.value] : 1;
    return typeof number === 'number' && number > 0 ? number : DEFAULT_PAGE;
  }

  function length(value: ValueNode): number {
    if (value.kind === Kind.LIST) return Math.max(1, value.values.length);
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : null;
    return Array.isArray(given) ? Math.max(1, given.length) : 1;
  }

  return ofSet(operation.selectionSet);
}

function isConnection(field: FieldNode): boolean {
  return (field.selectionSet?.selections ?? []).some(
    (selection) =>
      selection.kind === Kind.FIELD && (selection.name.value === 'edges' || selection.name.value === 'nodes'),
  );
}
