import type { Document } from 'bson';

/**
 * Options for decoding documents inside the engine: numbers stay `Int32`, `Double`, `Long` or `Decimal128`, so that a
 * value keeps its BSON type when it is stored again.
 */
export const DECODE = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

export type Direction = 1 | -1;

/** One comparison on one dotted path, for the planner and the matcher. */
export interface FilterLeaf {
  kind: 'leaf';
  path: string;
  op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'nin' | 'exists' | 'type' | 'regex' | 'size' | 'all' | 'mod';
  /** The decoded operand; for `in`, `nin` and `all` an array of operands. */
  value: unknown;
}

export type FilterNode =
  | FilterLeaf
  | { kind: 'and' | 'or' | 'nor'; children: FilterNode[] }
  | { kind: 'not'; child: FilterNode }
  | { kind: 'elemMatch'; path: string; child: FilterNode; onValues: boolean }
  | { kind: 'expr'; expression: unknown };

export interface Filter {
  node: FilterNode;
  /** Whether the filter is written exactly as `{_id: <value>}`. */
  isById: boolean;
  matches(document: Document): boolean;
  /** Matches undecoded BSON; decodes only the top-level fields that the filter names. */
  matchesBytes(bytes: Uint8Array): boolean;
  /** The index of the matching array element, to which `$` in an update path refers. */
  matchedPosition(document: Document): number | undefined;
}

export interface SortSpec {
  fields: ReadonlyArray<readonly [path: string, direction: Direction]>;
  /** @throws CommandError 2 for parallel arrays */
  keyOf(document: Document): unknown[];
  /** As {@link keyOf}, from the encoded document, of which it decodes only the fields of the key. */
  keyOfBytes(bytes: Uint8Array): unknown[];
  compareKeys(a: readonly unknown[], b: readonly unknown[]): number;
}

export interface Projection {
  apply(document: Document): Document;
  /** As {@link apply}, from and to bytes; only outside of pipelines, if the projection selects whole top-level fields. */
  selectBytes: ((bytes: Uint8Array) => Buffer) | undefined;
}

export interface UpdateContext {
  /** The compiled filter of the command, for the positional operator `$`. */
  filter: Filter;
  isUpsertInsert: boolean;
}

/** A document in its encoded and decoded forms. */
export interface Encoded {
  bytes: Buffer;
  document: Document;
}

export interface Update {
  kind: 'replacement' | 'operators' | 'pipeline';
  /** Returns a new document, or the same object when nothing changed. @throws CommandError 66 for a changed `_id` */
  apply(document: Document, context: UpdateContext): Document;
  /**
   * Describes the change from `before` to the `after` that {@link apply} returned, as the `updateDescription` of a
   * change event; undefined where MongoDB reports a replacement.
   */
  describe(before: Encoded, after: Encoded, context: UpdateContext): Document | undefined;
}
