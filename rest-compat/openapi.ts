import type { GraphQLSchema } from 'graphql';
import { ERRORS } from '../src/errors.ts';
import { answerSchema, type Components, type JsonSchema } from './answer-schema.ts';
import { inputSchema } from './input-schema.ts';
import { TAGS, tagOf } from './openapi-tags.ts';
import { uploadPaths } from './openapi-uploads.ts';
import { operationIds } from './operation-ids.ts';
import { describeParams } from './param-descriptions.ts';
import { EVENT_COMPONENTS, eventPaths } from './realtime/openapi-events.ts';
import type { Route } from './route.ts';

/** Prints the REST interface as an OpenAPI 3.1 document, from the same routes that serve it. */
export function printOpenApi(schema: GraphQLSchema, routes: readonly Route[]): JsonSchema {
  const components: Components = new Map();
  const paths: { [path: string]: { [method: string]: JsonSchema } } = { ...uploadPaths() };
  const ids = operationIds(routes);
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      operationId: ids.get(route),
      tags: [tagOf(route.path)],
      ...operation(schema, route, components),
    };
  }
  // After the routes: the first to register a schema names it, and clients may know the names.
  Object.assign(paths, eventPaths(schema, components));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Colloquy REST interface',
      version: '1',
      description:
        'The versioned REST interface. A response contains a main array and, in side arrays, the records to which the main records refer. The viewer is the user of the access token.',
    },
    tags: TAGS,
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
        Error: {
          description: 'An error. `data.detail` has one line for each invalid parameter.',
          content: { 'application/json': { schema: ERROR_SCHEMA } },
        },
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

function operation(schema: GraphQLSchema, route: Route, components: Components): JsonSchema {
  return {
    summary: route.summary,
    security: route.open ? [{ apiKey: [] }] : [{ bearer: [] }],
    ...parameters(schema, route),
    responses: {
      200: {
        description: 'Success.',
        ...(isIdempotent(route) && { headers: { 'Idempotent-Replayed': IDEMPOTENT_REPLAYED } }),
        content: { 'application/json': { schema: answerSchema(schema, route, components) } },
      },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function parameters(schema: GraphQLSchema, route: Route): JsonSchema {
  const input = inputSchema(route.params);
  const required = new Set(input.required ?? []);
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!));
  const fields = Object.entries(describeParams(schema, route, input.properties ?? {}));
  const others = fields.filter(([name]) => !inPath.has(name));
  const parameter = ([name, { description, ...field }]: [string, JsonSchema], place: 'path' | 'query'): JsonSchema => ({
    name: place === 'query' && field.type === 'array' ? `${name}[]` : name,
    in: place,
    required: place === 'path' || (required.has(name) && route.method !== 'DELETE'),
    ...(description !== undefined && { description }),
    schema: field,
    ...(place === 'query' && field.type === 'object' && { style: 'deepObject', explode: true }),
  });
  const list = fields.filter(([name]) => inPath.has(name)).map((field) => parameter(field, 'path'));
  if (isIdempotent(route)) list.push({ $ref: '#/components/parameters/IdempotencyKey' });
  const takesQuery = route.method === 'GET' || route.method === 'DELETE';
  if (takesQuery) list.push(...others.map((field) => parameter(field, 'query')));
  const takesBody = route.method !== 'GET' && others.length > 0;
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

/** Whether the route accepts an `Idempotency-Key`. */
function isIdempotent(route: Route): boolean {
  return !route.open && route.document.operationType === 'mutation';
}

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Identifies this request, 1 to 255 characters. If the viewer repeats the request with the same key within 24 hours, it is not executed again: the original response is returned with `Idempotent-Replayed: true`. A key that was used for another request causes error 400900.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IDEMPOTENT_REPLAYED: JsonSchema = {
  description: '`true`: this is the original response to an earlier request with the same `Idempotency-Key`.',
  schema: { const: 'true' },
};

function sorted<Value>(record: { [key: string]: Value }): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
