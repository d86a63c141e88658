import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { type LimitName, OPERATION_LIMITS } from './limits.ts';

export interface Excess {
  limit: LimitName;
  actual?: number;
}

interface Scan {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Fragments that some operation reaches. */
  reached: Set<string>;
  visited: number;
  comparisons: number;
}

/** The selections of one response object, with fragments expanded. */
interface Merged {
  /** Field nodes by response name. */
  fields: Map<string, FieldNode[]>;
  /** Number of response names of each field, which is how often it is resolved. */
  aliases: Map<string, number>;
}

/** Lists of the introspection schema, which multiply the answer by the size of the schema each time they are nested. */
const TYPE_LISTS = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes', 'enumValues']);

/**
 * Returns the first limit that a document exceeds. Runs before validation, whose rule about overlapping fields takes time
 * quadratic in the fields of one response name. The scan expands fragments and stops at the limits, so that its own time
 * is bounded. It accepts invalid documents, also with unknown and circular fragments.
 */
export function exceededLimit(document: DocumentNode): Excess | null {
  if (document.definitions.length > OPERATION_LIMITS.definitions)
    return { limit: 'definitions', actual: document.definitions.length };
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const scan: Scan = { fragments, reached: new Set(), visited: 0, comparisons: 0 };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const excess = excessOf(scan, [definition.selectionSet], 1, null);
    if (excess) return excess;
  }
  for (const [name, { selectionSet }] of fragments) {
    const excess = scan.reached.has(name) ? null : excessOf(scan, [selectionSet], 1, null);
    if (excess) return excess;
  }
  return null;
}

/** @param introspection null outside; else whether a list of `__Type` encloses the selection sets */
function excessOf(
  scan: Scan,
  sets: readonly SelectionSetNode[],
  depth: number,
  introspection: boolean | null,
): Excess | null {
  if (depth > OPERATION_LIMITS.depth) return { limit: 'depth' };
  const merged: Merged = { fields: new Map(), aliases: new Map() };
  const spread = new Set<string>();
  for (const set of sets) {
    const excess = merge(scan, set, merged, spread);
    if (excess) return excess;
  }
  if (merged.fields.size > OPERATION_LIMITS.selections) return { limit: 'selections', actual: merged.fields.size };
  for (const [name, count] of merged.aliases) {
    const limit = introspection === null && !isIntrospective(name) ? 'aliases' : 'introspectionAliases';
    if (count > OPERATION_LIMITS[limit]) return { limit, actual: count };
  }
  for (const nodes of merged.fields.values()) {
    const [{ name }] = nodes as [FieldNode];
    const isTypeList = introspection !== null && TYPE_LISTS.has(name.value);
    if (introspection && isTypeList) return { limit: 'introspectionDepth' };
    const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const next = isIntrospective(name.value) ? false : introspection === null ? null : introspection || isTypeList;
    const excess = inner.length > 0 ? excessOf(scan, inner, depth + 1, next) : null;
    if (excess) return excess;
  }
  return null;
}

function merge(scan: Scan, set: SelectionSetNode, merged: Merged, spread: Set<string>): Excess | null {
  if (set.selections.length > OPERATION_LIMITS.selections)
    return { limit: 'selections', actual: set.selections.length };
  for (const selection of set.selections) {
    scan.visited += 1;
    if (scan.visited > OPERATION_LIMITS.fields) return { limit: 'fields' };
    if (selection.kind === Kind.FIELD) {
      const excess = addField(scan, selection, merged);
      if (excess) return excess;
      continue;
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : spreadSet(scan, selection.name.value, spread);
    const excess = inner ? merge(scan, inner, merged, spread) : null;
    if (excess) return excess;
  }
  return null;
}

function addField(scan: Scan, field: FieldNode, { fields, aliases }: Merged): Excess | null {
  const name = field.name.value;
  const responseName = field.alias?.value ?? name;
  const nodes = fields.get(responseName);
  if (nodes) {
    scan.comparisons += nodes.length;
    nodes.push(field);
    return scan.comparisons > OPERATION_LIMITS.comparisons ? { limit: 'comparisons' } : null;
  }
  fields.set(responseName, [field]);
  aliases.set(name, (aliases.get(name) ?? 0) + 1);
  return null;
}

/** A fragment that is spread twice into the same selections adds nothing the second time, also when it spreads itself. */
function spreadSet(scan: Scan, name: string, spread: Set<string>): SelectionSetNode | null {
  if (spread.has(name)) return null;
  spread.add(name);
  scan.reached.add(name);
  return scan.fragments.get(name)?.selectionSet ?? null;
}

function isIntrospective(name: string): boolean {
  return name === '__schema' || name === '__type';
}
