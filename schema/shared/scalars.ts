import { GraphQLError, Kind, type ValueNode } from 'graphql';
import { isReceivedUpload } from '../../src/domain/file/received-upload.ts';
import { plainDocument } from '../../src/store/lazy-document.ts';
import type { Json } from '../../src/store/records/base.ts';
import { builder } from '../builder.ts';

builder.scalarType('DateTime', {
  description: 'A time in UTC as an ISO 8601 date-time string with milliseconds: `2026-01-05T09:30:00.000Z`.',
  serialize: (value) => (value instanceof Date ? value : new Date(value as string)).toISOString() as unknown as Date,
  parseValue: (value) => parseDate(value),
  parseLiteral: (node) => parseDate(node.kind === Kind.STRING ? node.value : null),
});

function parseDate(value: unknown): Date {
  const date = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : null;
  if (!date || Number.isNaN(date.getTime())) throw new GraphQLError('DateTime must be an ISO 8601 date-time string.');
  return date;
}

builder.scalarType('JSONObject', {
  description: 'A free-form JSON object, stored and returned verbatim.',
  serialize: (value) => plainDocument(value as object),
  parseValue: (value) => parseObject(value),
  parseLiteral: (node) => parseObject(literal(node, 0)),
});

function parseObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new GraphQLError('JSONObject must be an object.');
  return value as Json;
}

const NO_UPLOAD = 'Upload must be a file of a multipart request, in a variable.';

builder.scalarType('Upload', {
  description:
    'A file of a request in the form of the [GraphQL multipart request specification](https://github.com/jaydenseric/graphql-multipart-request-spec): a variable that is null in `operations` and named by `map`.',
  serialize: () => {
    throw new GraphQLError('Upload is a type of inputs only.');
  },
  parseValue: (value) => {
    if (!isReceivedUpload(value)) throw new GraphQLError(NO_UPLOAD);
    return value;
  },
  parseLiteral: () => {
    throw new GraphQLError(NO_UPLOAD);
  },
});

const MAX_LITERAL_DEPTH = 32;

function literal(node: ValueNode, depth: number): unknown {
  if (depth > MAX_LITERAL_DEPTH) throw new GraphQLError('This JSON literal is nested too deeply.');
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((value) => literal(value, depth + 1));
    case Kind.OBJECT: {
      const object: Json = Object.create(null);
      for (const field of node.fields) object[field.name.value] = literal(field.value, depth + 1);
      return object;
    }
    case Kind.VARIABLE:
      throw new GraphQLError('A JSON literal cannot contain variables: pass the whole object as one variable.');
    default:
      return null;
  }
}
