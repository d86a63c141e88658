import { createHash } from 'node:crypto';
import { type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { ObjectId } from 'mongodb';
import type { Context } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';

/** Arguments that say where a page begins and how long it is; all others say which list it belongs to. */
const PLACE = new Set(['first', 'after', 'last', 'before', 'skip', 'around']);
const LIST_LENGTH = 8;

interface Connection {
  edges: Array<{ cursor: string; node: unknown }>;
  pageInfo: { startCursor: string | null; endCursor: string | null };
}

type Args = { [name: string]: unknown };

/**
 * Binds the cursors of every connection to their list: the field, the record it belongs to, and the arguments for order
 * and filters. A cursor begins with a digest of these; one of another list is rejected instead of misread.
 */
export function bindCursors(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (getNamedType(field.type).name.endsWith('Connection')) bind(type.name, field);
    }
  }
  return schema;
}

function bind(typeName: string, field: GraphQLField<unknown, Context, Args>): void {
  const { resolve } = field;
  if (!resolve) return;
  field.resolve = async (parent, args, context, info) => {
    let digest: string | undefined;
    const list = () => {
      digest ??= digestOf(typeName, field.name, parent, args);
      return digest;
    };
    const { after, before } = args;
    const place = {
      ...(typeof after === 'string' && { after: unbound(after, 'after', list()) }),
      ...(typeof before === 'string' && { before: unbound(before, 'before', list()) }),
    };
    const connection = (await resolve(parent, { ...args, ...place }, context, info)) as Connection | null;
    return connection && bound(connection, list);
  };
}

/** Cursors are computed when they are selected, and the digest with the first of them. */
function bound({ edges, pageInfo }: Connection, list: () => string) {
  const boundTo = (cursor: string | null) => cursor && `${list()}${cursor}`;
  return {
    edges: edges.map((edge) => ({
      node: edge.node,
      get cursor() {
        return boundTo(edge.cursor);
      },
    })),
    pageInfo: {
      ...pageInfo,
      get startCursor() {
        return boundTo(pageInfo.startCursor);
      },
      get endCursor() {
        return boundTo(pageInfo.endCursor);
      },
    },
  };
}

function unbound(cursor: string, name: 'after' | 'before', list: string): string {
  if (cursor.startsWith(list)) return cursor.slice(LIST_LENGTH);
  throw new OperationError('BAD_REQUEST', {
    message: 'This is not a cursor of this list, or the list has another order or other filters.',
    path: [name],
  });
}

function digestOf(typeName: string, fieldName: string, parent: unknown, args: Args): string {
  const shaping = Object.entries(args).filter(([name]) => !PLACE.has(name));
  const list = JSON.stringify([typeName, fieldName, idOf(parent), canonical(Object.fromEntries(shaping))]);
  return createHash('sha256').update(list).digest('base64url').slice(0, LIST_LENGTH);
}

function idOf(parent: unknown): string | null {
  return (parent as { _id?: ObjectId } | null | undefined)?._id?.toHexString() ?? null;
}

/** The order of arguments and of their values, values given twice, and null for what is left out make no other list. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(canonical(item))))].sort();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).filter(([, field]) => field != null);
  return Object.fromEntries(
    fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, canonical(field)]),
  );
}
