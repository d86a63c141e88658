import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { Route } from './route.ts';
import { type ContainerShape, type Leaf, type RecordShape, readShape, type Shape } from './shapes.ts';

export type JsonSchema = { [key: string]: unknown };
/** Schemas of `#/components/schemas`, by name. */
export type Components = Map<string, JsonSchema>;
type Tree = { [key: string]: unknown };

/** Schema of a part of the answer. The `wrap` of a route moves it like the value it describes. */
export class Slot {
  readonly schema: JsonSchema;
  constructor(schema: JsonSchema) {
    this.schema = schema;
  }
}

const SCALARS: { readonly [name: string]: JsonSchema } = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object' },
};

/** The schema of a route's answer. */
export function answerSchema(schema: GraphQLSchema, route: Route, components: Components): JsonSchema {
  const shape = readShape(schema, route.document.read(), route.arrays);
  const tree: Tree = {};
  collectValues(shape, tree);
  Object.assign(tree, arraySlots(shape, route.arrays, components));
  if (route.paging) {
    const tokens = Object.fromEntries(['next', ...route.paging].map((key) => [key, { type: 'string' }]));
    const { total } = tree;
    delete tree.total;
    const count = total instanceof Slot ? { total: total.schema } : {};
    tree.paging = new Slot({ type: 'object', properties: { ...tokens, ...count } });
  }
  if (route.answerSchema) return route.answerSchema;
  return toSchema(route.wrap ? route.wrap(tree) : tree);
}

/** Schemas of the side arrays into which the result of a document is flattened. */
export function arraySlots(
  shape: ContainerShape,
  arrays: readonly string[],
  components: Components,
): { [array: string]: Slot } {
  const records = new Map<string, RecordShape[]>();
  collectRecords(shape, records);
  return Object.fromEntries(
    arrays.map((array) => {
      const shapes = records.get(array);
      const items = shapes ? { $ref: `#/components/schemas/${register(shapes[0]!, components)}` } : {};
      return [array, new Slot({ type: 'array', items, ...(shapes === undefined && { maxItems: 0 }) })];
    }),
  );
}

function collectValues(shape: Shape, tree: Tree): void {
  if (shape.kind === 'record' || shape.typeName === 'PageInfo') return;
  const isFailure = (leaf: Leaf) =>
    ['code', 'message', 'path', 'detail'].includes(leaf.key) && shape.typeName === 'Result';
  for (const leaf of shape.leaves) {
    if (leaf.key === '__typename' || leaf.key === 'cursor' || isFailure(leaf)) continue;
    tree[leaf.key] = leaf.inner ? slots(leaf.inner) : new Slot(leafSchema(leaf));
  }
  for (const link of shape.links) collectValues(link.shape, tree);
}

function slots(leaves: Leaf[]): { [key: string]: unknown } {
  return Object.fromEntries(
    leaves.map((leaf) => [leaf.key, leaf.inner ? slots(leaf.inner) : new Slot(leafSchema(leaf))]),
  );
}

function collectRecords(shape: ContainerShape | RecordShape, found: Map<string, RecordShape[]>): void {
  if (shape.kind === 'record') found.set(shape.array, [...(found.get(shape.array) ?? []), shape]);
  for (const link of shape.links) collectRecords(link.shape, found);
}

/** Registers a record's schema under the name of its type; another schema of the same type gets a number. */
function register(shape: RecordShape, components: Components): string {
  const schema = objectSchema(shape.leaves);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? shape.typeName : `${shape.typeName}${number}`;
    const known = components.get(name);
    if (known && structureOf(known) !== structureOf(schema)) continue;
    if (!known) components.set(name, schema);
    return name;
  }
}

/** The schema as text, without the descriptions of its properties. */
function structureOf(schema: JsonSchema): string {
  return JSON.stringify(schema, (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

function objectSchema(leaves: Leaf[]): JsonSchema {
  return {
    type: 'object',
    required: leaves.filter((leaf) => !leaf.isOmittedWhenNull).map((leaf) => leaf.key),
    properties: Object.fromEntries(leaves.map((leaf) => [leaf.key, leafSchema(leaf)])),
  };
}

function leafSchema(leaf: Leaf): JsonSchema {
  const schema = typeSchema(leaf.type, leaf);
  return leaf.description === undefined ? schema : { description: leaf.description, ...schema };
}

function typeSchema(type: GraphQLOutputType, leaf: Leaf): JsonSchema {
  const nullable = !isNonNullType(type) && !leaf.isOmittedWhenNull;
  const named = getNullableType(type);
  const schema = isListType(named)
    ? { type: 'array', items: typeSchema(named.ofType, leaf) }
    : namedSchema(named, leaf);
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function namedSchema(type: GraphQLOutputType, leaf: Leaf): JsonSchema {
  if (leaf.inner) return objectSchema(leaf.inner);
  if (leaf.enumType) return { type: 'string', enum: leaf.enumType.getValues().map(({ value }) => value) };
  return (isScalarType(type) && SCALARS[type.name]) || {};
}

/** The schema of an object whose leaves are slots or constants. */
export function toSchema(tree: unknown): JsonSchema {
  if (tree instanceof Slot) return tree.schema;
  if (typeof tree !== 'object' || tree === null) return { const: tree };
  const entries = Object.entries(tree);
  return {
    type: 'object',
    required: entries.map(([key]) => key),
    properties: Object.fromEntries(entries.map(([key, value]) => [key, toSchema(value)])),
  };
}
