import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isNonNullType,
  isScalarType,
  parse,
} from 'graphql';
import { z } from 'zod';
import { ERRORS } from '../src/errors.ts';
import { uploadPaths } from './openapi-uploads.ts';
import type { Route } from './route.ts';
import { type ContainerShape, type Leaf, type RecordShape, readShape, type Shape } from './shapes.ts';

type JsonSchema = { [key: string]: unknown };

/** A place in an answer whose schema is known; `wrap` of a row moves it about like the value that will stand there. */
class Slot {
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

/** The legacy interface as an OpenAPI 3.1 document, printed from the same rows that answer. */
export function printOpenApi(schema: GraphQLSchema, routes: readonly Route[]): JsonSchema {
  const components = new Map<string, JsonSchema>();
  const paths: { [path: string]: { [method: string]: JsonSchema } } = { ...uploadPaths() };
  for (const row of routes) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][row.method.toLowerCase()] = operation(schema, row, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Colloquy REST interface',
      version: '1',
      description:
        'The versioned REST interface for legacy clients: a main array and the records it refers to in side arrays.',
    },
    paths: sorted(paths),
    components: {
      schemas: sorted(Object.fromEntries(components)),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      responses: { Error: { description: 'A failure.', content: { 'application/json': { schema: ERROR_SCHEMA } } } },
    },
  };
}

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['status', 'code', 'message'],
  properties: {
    status: { const: 'error' },
    code: { type: 'integer', enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
    message: { type: 'string' },
    data: { type: 'object', properties: { detail: { type: 'array', items: { type: 'string' } } } },
  },
};

function operation(schema: GraphQLSchema, row: Route, components: Map<string, JsonSchema>): JsonSchema {
  const answer = answerTree(schema, row, components);
  return {
    summary: row.summary,
    description: `Source: ${row.section}.`,
    security: row.open ? [{ apiKey: [] }] : [{ bearer: [] }],
    ...parameters(row),
    responses: {
      200: {
        description: 'Success.',
        ...(isMadeOnce(row) && { headers: { 'Idempotent-Replayed': IDEMPOTENT_REPLAYED } }),
        content: { 'application/json': { schema: toSchema(answer) } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function parameters(row: Route): JsonSchema {
  const schema = z.toJSONSchema(row.params, { io: 'input', unrepresentable: 'any', override: describeInput }) as {
    properties?: { [name: string]: JsonSchema };
    required?: string[];
  };
  const required = new Set(schema.required ?? []);
  const inPath = new Set([...row.path.matchAll(/:(\w+)/g)].map((match) => match[1]!));
  const fields = Object.entries(schema.properties ?? {});
  const others = fields.filter(([name]) => !inPath.has(name));
  const parameter = ([name, field]: [string, JsonSchema], place: 'path' | 'query'): JsonSchema => ({
    name: place === 'query' && field.type === 'array' ? `${name}[]` : name,
    in: place,
    required: place === 'path' || (required.has(name) && row.method !== 'DELETE'),
    schema: field,
    ...(place === 'query' && field.type === 'object' && { style: 'deepObject', explode: true }),
  });
  const list = fields.filter(([name]) => inPath.has(name)).map((field) => parameter(field, 'path'));
  if (isMadeOnce(row)) list.push({ $ref: '#/components/parameters/IdempotencyKey' });
  const takesQuery = row.method === 'GET' || row.method === 'DELETE';
  if (takesQuery) list.push(...others.map((field) => parameter(field, 'query')));
  const takesBody = row.method !== 'GET' && others.length > 0;
  const bodyRequired = others.map(([name]) => name).filter((name) => required.has(name));
  const body = {
    type: 'object',
    properties: Object.fromEntries(others),
    ...(bodyRequired.length > 0 && { required: bodyRequired }),
  };
  return {
    ...(list.length > 0 && { parameters: list }),
    ...(takesBody && {
      requestBody: {
        required: bodyRequired.length > 0 && !takesQuery,
        content: { 'application/json': { schema: body } },
      },
    }),
  };
}

/** Whether a client may name the call by a key, so that it is not made again when it is sent again. */
function isMadeOnce(row: Route): boolean {
  return !row.open && /^\s*mutation\b/.test(row.document.toString());
}

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names this write. Sent again within 24 hours under the same key it is not made again: the answer is the one given before, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IDEMPOTENT_REPLAYED: JsonSchema = {
  description: '`true`: the answer is one that was given before under the same `Idempotency-Key`.',
  schema: { const: 'true' },
};

/** A preprocessed or transformed parameter is described by what it must become, or may be. */
function describeInput({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  if (def.type !== 'pipe' || def.in._zod.def.type !== 'transform') return;
  const inner = z.toJSONSchema(def.out as z.ZodType, { io: 'input', unrepresentable: 'any', override: describeInput });
  delete (inner as JsonSchema).$schema;
  Object.assign(jsonSchema, inner);
}

function answerTree(schema: GraphQLSchema, row: Route, components: Map<string, JsonSchema>): unknown {
  const shape = readShape(schema, parse(row.document.toString()), row.arrays);
  const tree: { [key: string]: unknown } = {};
  collectValues(shape, tree);
  const records = new Map<string, RecordShape[]>();
  collectRecords(shape, records);
  for (const array of row.arrays) {
    const shapes = records.get(array);
    const items = shapes ? { $ref: `#/components/schemas/${register(shapes[0]!, components)}` } : {};
    tree[array] = new Slot({ type: 'array', items, ...(shapes === undefined && { maxItems: 0 }) });
  }
  if (row.paging) {
    const tokens = Object.fromEntries(['next', ...row.paging].map((key) => [key, { type: 'string' }]));
    tree.paging = new Slot({ type: 'object', properties: tokens });
  }
  if (row.answerSchema) return new Slot(row.answerSchema);
  return row.wrap ? row.wrap(tree) : tree;
}

function collectValues(shape: Shape, tree: { [key: string]: unknown }): void {
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

/** Names a record's schema by its type; a second form of the same type gets a number. */
function register(shape: RecordShape, components: Map<string, JsonSchema>): string {
  const schema = objectSchema(shape.leaves);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? shape.typeName : `${shape.typeName}${number}`;
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) continue;
    components.set(name, schema);
    return name;
  }
}

function objectSchema(leaves: Leaf[]): JsonSchema {
  return {
    type: 'object',
    required: leaves.map((leaf) => leaf.key),
    properties: Object.fromEntries(leaves.map((leaf) => [leaf.key, leafSchema(leaf)])),
  };
}

function leafSchema(leaf: Leaf): JsonSchema {
  return typeSchema(leaf.type, leaf);
}

function typeSchema(type: GraphQLOutputType, leaf: Leaf): JsonSchema {
  const nullable = !isNonNullType(type);
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

function toSchema(tree: unknown): JsonSchema {
  if (tree instanceof Slot) return tree.schema;
  if (typeof tree !== 'object' || tree === null) return { const: tree };
  const entries = Object.entries(tree);
  return {
    type: 'object',
    required: entries.map(([key]) => key),
    properties: Object.fromEntries(entries.map(([key, value]) => [key, toSchema(value)])),
  };
}

function sorted<Value>(record: { [key: string]: Value }): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
