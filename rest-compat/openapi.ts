import type { GraphQLSchema } from 'graphql';
import { ERRORS } from '../src/errors.ts';
import { answerSchema, type Components, type JsonSchema } from './answer-schema.ts';
import { inputSchema } from './input-schema.ts';
import { uploadPaths } from './openapi-uploads.ts';
import { EVENT_COMPONENTS, eventPaths } from './realtime/openapi-events.ts';
import type { Route } from './route.ts';

/** The legacy interface as an OpenAPI 3.1 document, printed from the same rows that answer. */
export function printOpenApi(schema: GraphQLSchema, routes: readonly Route[]): JsonSchema {
  const components: Components = new Map();
  const paths: { [path: string]: { [method: string]: JsonSchema } } = { ...uploadPaths() };
  for (const row of routes) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][row.method.toLowerCase()] = operation(schema, row, components);
  }
  // After the rows, whose names for their schemas clients may know.
  Object.assign(paths, eventPaths(schema, components));
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
        ...EVENT_COMPONENTS.securitySchemes,
      },
      headers: EVENT_COMPONENTS.headers,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, ...EVENT_COMPONENTS.parameters },
      responses: {
        Error: { description: 'A failure.', content: { 'application/json': { schema: ERROR_SCHEMA } } },
        ...EVENT_COMPONENTS.responses,
      },
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

function operation(schema: GraphQLSchema, row: Route, components: Components): JsonSchema {
  return {
    summary: row.summary,
    description: `Source: ${row.section}.`,
    security: row.open ? [{ apiKey: [] }] : [{ bearer: [] }],
    ...parameters(row),
    responses: {
      200: {
        description: 'Success.',
        ...(isMadeOnce(row) && { headers: { 'Idempotent-Replayed': IDEMPOTENT_REPLAYED } }),
        content: { 'application/json': { schema: answerSchema(schema, row, components) } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function parameters(row: Route): JsonSchema {
  const schema = inputSchema(row.params);
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

function sorted<Value>(record: { [key: string]: Value }): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
