import { createHash } from 'node:crypto';
import { type GraphQLField, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import type { ObjectId } from 'mongodb';
import type { Context } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { TextSeal } from '../../src/lib/text-seal.ts';

/** Arguments that select a page of a list; all other arguments identify the list. */
const PAGE_ARGUMENTS = new Set(['first', 'after', 'last', 'before', 'skip', 'around']);
const DIGEST_LENGTH = 8;

interface Connection {
  edges: Array<{ cursor: string; node: unknown }>;
  pageInfo: { startCursor: string | null; endCursor: string | null };
  hiddenCursor?: 'startCursor' | 'endCursor' | null;
}

type Args = { [name: string]: unknown };

/**
 * Binds the cursors of every connection to their list: the field, the parent record, and the arguments for order and
 * filters. Each cursor starts with a digest of these, so that a cursor of another list is rejected. A cursor that is the
 * position of a record hidden from the viewer is encrypted, since it contains the id and a value of that record.
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
    const positionIn = (cursor: string, name: 'after' | 'before') => unbound(cursor, name, listDigest(), context.seal);
    const cursors = {
      ...(typeof after === 'string' && { after: positionIn(after, 'after') }),
      ...(typeof before === 'string' && { before: positionIn(before, 'before') }),
    };
    const connection = (await resolve(parent, { ...args, ...cursors }, context, info)) as Connection | null;
    return connection && withDigests(connection, listDigest, context.seal);
  };
}

/** Starts an encrypted position. Other positions are base64url, which does not contain it. */
const SEALED = '~';

/** Computes cursors only when they are selected, and the digest with the first of them. */
function withDigests({ edges, pageInfo, hiddenCursor, ...rest }: Connection, listDigest: () => string, seal: TextSeal) {
  const withDigest = (cursor: string | null) => cursor && `${listDigest()}${cursor}`;
  const bound = (name: 'startCursor' | 'endCursor') => {
    const cursor = pageInfo[name];
    return withDigest(cursor && name === hiddenCursor ? `${SEALED}${seal.seal(cursor, listDigest())}` : cursor);
  };
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
        return bound('startCursor');
      },
      get endCursor() {
        return bound('endCursor');
      },
    },
  };
}

function unbound(cursor: string, name: 'after' | 'before', digest: string, seal: TextSeal): string {
  if (cursor.startsWith(digest)) {
    const position = cursor.slice(DIGEST_LENGTH);
    const opened = position.startsWith(SEALED) ? seal.open(position.slice(SEALED.length), digest) : position;
    if (opened !== null) return opened;
  }
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
