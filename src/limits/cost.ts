import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
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

/**
 * Costs relative to a field that has fields of its own and so may load a record. A resolver that takes the context loads
 * or computes something for the viewer; a JSON value may be as long as a page of records; a mutation is a transaction. A
 * search by `keyword` reads up to 2,000 entries of the index of names; a ranking reads all that it ranks; a preview waits
 * for another server.
 */
export const COSTS = {
  record: { cost: 1, applies: 'with fields of its own; the costs of its fields are added' },
  leaf: { cost: 0.1, applies: 'plain value' },
  resolvedLeaf: { cost: 1, applies: 'value that is loaded or computed for the viewer, like `viewerCanEdit`' },
  json: { cost: 1, applies: '`JSONObject`' },
  mutation: { cost: 1_000, applies: 'mutation, in place of the 1 of other fields' },
  keyword: { cost: 100, applies: 'with the argument `keyword`, in addition' },
  search: { cost: 100, applies: 'list of a `search`, in addition' },
  ranking: { cost: 500, applies: '`trendingCommunities`, in addition' },
  outgoing: { cost: 1_000, applies: '`linkPreview`, in addition' },
} as const;
const QUERY_COSTS = new Map<string, number>([
  ['trendingCommunities', COSTS.ranking.cost],
  ['linkPreview', COSTS.outgoing.cost],
]);
/** Size of a list for which neither the document nor the variables contain one. */
export const DEFAULT_PAGE = 10;

export interface Measure {
  depth: number;
  /** Estimated work. Nested pages and lists multiply, skipped records count as read, and each alias counts. */
  cost: number;
  /** Fields of the document with fragments expanded, without multiplying pages. */
  fields: number;
  /** How often each list without pages is nested in itself, by `Type.field`. */
  repeats: ReadonlyMap<string, number>;
}

export interface MeasuredOperation {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: { [name: string]: FragmentDefinitionNode };
  /** Coerced, with their defaults. */
  variables: Variables;
}

type Variables = { readonly [name: string]: unknown };

const NO_REPEATS: ReadonlyMap<string, number> = new Map();
const NOTHING: Measure = { depth: 0, cost: 0, fields: 0, repeats: NO_REPEATS };
const LEAVES = {
  leaf: { depth: 1, cost: COSTS.leaf.cost, fields: 1, repeats: NO_REPEATS },
  resolvedLeaf: { depth: 1, cost: COSTS.resolvedLeaf.cost, fields: 1, repeats: NO_REPEATS },
  json: { depth: 1, cost: COSTS.json.cost, fields: 1, repeats: NO_REPEATS },
} as const satisfies { [kind: string]: Measure };

/**
 * Measures an operation in time linear in the document: each fragment is measured once, so that N fragments that
 * expand to 2^N fields are refused quickly. The document must be valid, so that no fragment spreads itself.
 */
export function measure(measured: MeasuredOperation): Measure {
  return measureReading(measured, new Set());
}

/** Maximum measures that are remembered per operation. */
const MAX_MEASURES = 16;

/**
 * Returns {@link measure} for one operation. It measures again only when variables that the result depends on differ, of
 * which most documents have none or a page size.
 */
export function createMeasure(operation: Omit<MeasuredOperation, 'variables'>): (variables: Variables) => Measure {
  const known = new Map<string, Measure>();
  // Which variables are read does not depend on their values.
  let names: readonly string[] | undefined;
  return (variables) => {
    const key = names?.map((name) => kindOfValue(variables[name])).join();
    let found = key === undefined ? undefined : known.get(key);
    if (!found) {
      const read = new Set<string>();
      found = measureReading({ ...operation, variables }, read);
      names ??= [...read];
      if (known.size >= MAX_MEASURES) known.clear();
      known.set(names.map((name) => kindOfValue(variables[name])).join(), found);
    }
    return found;
  };
}

/** What a measure depends on: the size of a number or list, and whether there is a value other than null or ''. */
function kindOfValue(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? `[${value.length}` : value ? 'given' : '';
}

/** @param read receives the names of the variables that the measure depends on */
function measureReading({ schema, operation, fragments, variables }: MeasuredOperation, read: Set<string>): Measure {
  const known = new Map<string, Measure>();
  const mutationType = schema.getMutationType();
  const queryType = schema.getQueryType();

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
    const name = field.name.value;
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    const keyword = isGiven(argumentOf(field, 'keyword')) ? COSTS.keyword.cost : 0;
    const search = parent?.name === 'Search' && field.selectionSet ? COSTS.search.cost : 0;
    const query = (parent === queryType && QUERY_COSTS.get(name)) || 0;
    const base =
      (parent === mutationType && definition ? COSTS.mutation.cost : COSTS.record.cost) + keyword + search + query;
    if (!field.selectionSet) {
      const leaf = LEAVES[kindOf(definition)];
      return base > COSTS.record.cost ? { ...leaf, cost: base } : leaf;
    }
    const type = definition?.type;
    const inner = ofSet(field.selectionSet, type && getNamedType(type));
    const isList = isListOfRecords(type) && !isConnection(parent);
    const size = sizeOf(field, definition, isList || isConnection(type && getNamedType(type)));
    return {
      depth: inner.depth + 1,
      cost: base + size * (isList ? COSTS.record.cost + inner.cost : inner.cost),
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

  function sizeOf(field: FieldNode, definition: Field | undefined, isPaged: boolean): number {
    let size: number | undefined;
    let skipped = 0;
    for (const { name, defaultValue } of definition?.args ?? []) {
      if (!isSize(name)) continue;
      const node = argumentOf(field, name);
      const value = node ? readValue(node) : defaultValue;
      if (name === 'skip') skipped = typeof value === 'number' && value > 0 ? value : 0;
      else if (name === 'first' || name === 'last') {
        if (typeof value === 'number') size = Math.max(size ?? 1, value);
      } else if (Array.isArray(value)) size = Math.max(size ?? 1, value.length);
    }
    return (size ?? (isPaged ? DEFAULT_PAGE : 1)) + skipped;
  }

  function variableNamed(name: string): unknown {
    read.add(name);
    return variables[name];
  }

  /** Whether an argument has a value other than null and the empty text. */
  function isGiven(node: ValueNode | undefined): boolean {
    if (node?.kind === Kind.VARIABLE) return Boolean(variableNamed(node.name.value));
    return node !== undefined && node.kind !== Kind.NULL && !(node.kind === Kind.STRING && node.value === '');
  }

  /** A number; for a list, one of the same length. */
  function readValue(value: ValueNode): unknown {
    if (value.kind === Kind.VARIABLE) return variableNamed(value.name.value);
    if (value.kind === Kind.INT) return Number(value.value);
    return value.kind === Kind.LIST ? value.values : undefined;
  }

  return ofSet(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined);
}

function argumentOf(field: FieldNode, name: string): ValueNode | undefined {
  return field.arguments?.find((argument) => argument.name.value === name)?.value;
}

type Field = GraphQLField<unknown, unknown>;

/** Fields of other types than objects, such as unions, count as plain values. */
function kindOf(field: Field | undefined): keyof typeof LEAVES {
  if (!field) return 'leaf';
  if (getNamedType(field.type).name === 'JSONObject') return 'json';
  return (field.resolve?.length ?? 0) > 1 ? 'resolvedLeaf' : 'leaf';
}

/** Whether the argument determines the number of a field's records. */
function isSize(name: string): boolean {
  return SIZES.has(name) || name.endsWith('Ids');
}

const SIZES = new Set(['first', 'last', 'skip', 'ids', 'targets', 'representations']);

function isListOfRecords(type: GraphQLOutputType | undefined): boolean {
  return type !== undefined && isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}

/** Connection types end in `Connection`. Their `edges` are as many as the page, which is counted already. */
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
