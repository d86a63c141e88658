import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** A leaf is cheap beside a field that has fields of its own and so may load a record. */
const LEAF_COST = 0.05;
/** What a list holds when neither the document nor the variables say. */
const DEFAULT_PAGE = 10;

export interface Measure {
  depth: number;
  /** Size of the answer: pages and lists inside one another multiply, what is skipped is read too; aliases count. */
  cost: number;
  /** Fields of the document with every fragment written out, pages not multiplied. */
  fields: number;
  /** How often each list without pages stands inside itself, by `Type.field`. */
  repeats: ReadonlyMap<string, number>;
}

export interface Measured {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: { [name: string]: FragmentDefinitionNode };
  variables: { readonly [name: string]: unknown };
}

const NO_REPEATS: ReadonlyMap<string, number> = new Map();
const NOTHING: Measure = { depth: 0, cost: 0, fields: 0, repeats: NO_REPEATS };
const LEAF: Measure = { depth: 1, cost: LEAF_COST, fields: 1, repeats: NO_REPEATS };

/**
 * Measures an operation in time linear in the document: each fragment is measured once, so that fragments that
 * spread one another (2^N fields from N lines) cost no more to refuse than to write. The document must be valid, so
 * that fragments do not spread themselves.
 */
export function measure({ schema, operation, fragments, variables }: Measured): Measure {
  const known = new Map<string, Measure>();

  function ofSet(set: SelectionSetNode, parent: GraphQLNamedType | undefined): Measure {
    let depth = 0;
    let cost = 0;
    let fields = 0;
    let repeats = NO_REPEATS;
    for (const selection of set.selections) {
      const inner =
        selection.kind === Kind.FIELD
          ? ofField(selection, parent)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? ofSet(selection.selectionSet, typeNamed(selection.typeCondition?.name.value) ?? parent)
            : ofFragment(selection.name.value);
      depth = Math.max(depth, inner.depth);
      cost += inner.cost;
      fields += inner.fields;
      repeats = highest(repeats, inner.repeats);
    }
    return { depth, cost, fields, repeats };
  }

  function ofField(field: FieldNode, parent: GraphQLNamedType | undefined): Measure {
    if (!field.selectionSet) return LEAF;
    const name = field.name.value;
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    const inner = ofSet(field.selectionSet, type && getNamedType(type));
    const isList = isListOfRecords(type) && !isConnection(parent);
    const size = sizeOf(field, { isPaged: isList || isConnection(type && getNamedType(type)) });
    return {
      depth: inner.depth + 1,
      cost: 1 + size * (isList ? 1 + inner.cost : inner.cost),
      fields: inner.fields + 1,
      repeats: isList ? oneMore(inner.repeats, `${parent?.name}.${name}`) : inner.repeats,
    };
  }

  function ofFragment(name: string): Measure {
    let measured = known.get(name);
    if (!measured) {
      const fragment = fragments[name];
      measured = fragment ? ofSet(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value)) : NOTHING;
      known.set(name, measured);
    }
    return measured;
  }

  function typeNamed(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : schema.getType(name);
  }

  function sizeOf(field: FieldNode, { isPaged }: { isPaged: boolean }): number {
    let size: number | undefined;
    let skipped = 0;
    for (const { name, value } of field.arguments ?? []) {
      const argument = name.value;
      if (argument === 'first' || argument === 'last') size = Math.max(size ?? 1, integer(value));
      else if (argument === 'ids' || argument.endsWith('Ids')) size = Math.max(size ?? 1, length(value));
      else if (argument === 'skip') skipped = integer(value, 0);
    }
    return (size ?? (isPaged ? DEFAULT_PAGE : 1)) + skipped;
  }

  function integer(value: ValueNode, otherwise = DEFAULT_PAGE): number {
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
    const number = value.kind === Kind.INT ? Number(value.value) : given;
    return typeof number === 'number' && number > 0 ? number : otherwise;
  }

  function length(value: ValueNode): number {
    if (value.kind === Kind.LIST) return Math.max(1, value.values.length);
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : null;
    return Array.isArray(given) ? Math.max(1, given.length) : 1;
  }

  return ofSet(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

function isListOfRecords(type: GraphQLOutputType | undefined): boolean {
  return type !== undefined && isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}

/** Every connection type ends so; its `edges` are as many as the page, which counts already. */
function isConnection(type: GraphQLNamedType | undefined): boolean {
  return type?.name.endsWith('Connection') ?? false;
}

function highest(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (one.size === 0) return other;
  if (other.size === 0 || one === other) return one;
  const merged = new Map(one);
  for (const [name, count] of other) merged.set(name, Math.max(count, merged.get(name) ?? 0));
  return merged;
}

function oneMore(repeats: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  return new Map(repeats).set(name, (repeats.get(name) ?? 0) + 1);
}
