import { createHash } from 'node:crypto';
import { type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { ObjectId } from 'mongodb';
import type { Context } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';

/** Arguments that select a page of a list; all other arguments identify the list. */
const PAGE_ARGUMENTS = new Set(['first', 'after', 'last', 'before', 'skip', 'around']);
const DIGEST_LENGTH = 8;

interface Connection {
  edges: Array<{ cursor: string; node: unknown }>;
  pageInfo: { startCursor: string | null; endCursor: string | null };
}

type Args = { [name: string]: unknown };

/**
 * Binds the cursors of every connection to their list: the field, the parent record, and the arguments for order and
 * filters. Each cursor starts with a digest of these, so that a cursor of another list is rejected.
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
    const listDigest = () => {
      digest ??= digestOf(typeName, field.name, parent, args);
      return digest;
    };
    const { after, before } = args;
    const cursors = {
      ...(typeof after === 'string' && { after: withoutDigest(after, 'after', listDigest()) }),
      ...(typeof before === 'string' && { before: withoutDigest(before, 'before', listDigest()) }),
    };
    const connection = (await resolve(parent, { ...args, ...cursors }, context, info)) as Connection | null;
    return connection && withDigests(connection, listDigest);
  };
}

/** Computes cursors only when they are selected, and the digest with the first of them. */
function withDigests({ edges, pageInfo, ...rest }: Connection, listDigest: () => string) {
  const withDigest = (cursor: string | null) => cursor && `${listDigest()}${cursor}`;
  return {
    ...rest,
    edges: edges.map((edge) => ({
      node: edge.node,
      get cursor() {
        return withDigest(edge.cursor);
      },
    })),
    pageInfo: {
      ...pageInfo,
      get startCursor() {
        return withDigest(pageInfo.startCursor);
      },
      get endCursor() {
        return withDigest(pageInfo.endCursor);
      },
    },
  };
}

function withoutDigest(cursor: string, name: 'after' | 'before', digest: string): string {
  if (cursor.startsWith(digest)) return cursor.slice(DIGEST_LENGTH);
  throw new OperationError('BAD_REQUEST', {
    message: 'This is not a cursor of this list, or the list has another order or other filters.',
    path: [name],
  });
}

function digestOf(typeName: string, fieldName: string, parent: unknown, args: Args): string {
  const listArguments = Object.entries(args).filter(([name]) => !PAGE_ARGUMENTS.has(name));
  const list = JSON.stringify([typeName, fieldName, idOf(parent), canonical(Object.fromEntries(listArguments))]);
  return createHash('sha256').update(list).digest('base64url').slice(0, DIGEST_LENGTH);
}

/** A parent that is not a record states in `listKey` what identifies its lists. */
function idOf(parent: unknown): string | null {
  const { _id, listKey } = (parent ?? {}) as { _id?: ObjectId; listKey?: string };
  return _id?.toHexString() ?? listKey ?? null;
}

/** A normal form that ignores the order of fields and list values, repeated list values, and null for absent fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(canonical(item))))].sort();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).filter(([, field]) => field != null);
  return Object.fromEntries(
    fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, canonical(field)]),
  );
}
