import {
  defaultFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type Context, viewerOf } from '../../src/context.ts';
import { notFound } from '../../src/errors.ts';
import { authorizationOf } from './node.ts';

type Answer = { readonly [name: string]: unknown };
type StoredRecord = Answer & { isDeleted?: boolean };

/**
 * Authorizes the stored response of a repeated mutation against the viewer's current access. Records that the mutation
 * itself hid from the viewer, by deleting them or by ending the viewer's membership, are returned as stored, but without
 * relations, because related records may have changed since.
 *
 * @throws {OperationError} NOT_FOUND if the viewer no longer sees another record of the response
 */
export async function authorizeReplay(
  context: Context,
  { answer, payload, schema }: { answer: Answer; payload: GraphQLObjectType; schema: GraphQLSchema },
): Promise<void> {
  const records = Object.values(payload.getFields()).flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [];
    const value: unknown = field.resolve?.(answer, {}, context, { schema } as never) ?? answer[field.name];
    const stored = (Array.isArray(value) ? value : [value]).filter((one): one is StoredRecord => isRecord(one));
    return stored.flatMap((record) => {
      const name = typeNameOf(getNamedType(field.type), record, context);
      const sees = authorizationOf(name);
      return sees ? [{ record, name, sees }] : [];
    });
  });
  const { userId } = viewerOf(context);
  const hasLeft = records.some(({ record }) => isEndedMembership(record, userId));
  const unseen = context.unseen ?? new WeakSet<object>();
  context.unseen = unseen;
  await Promise.all(
    records.map(async ({ record, name, sees }) => {
      if (await sees(context, record)) return;
      if (!hasLeft && !isHiddenByWrite(record, userId)) throw notFound(name);
      unseen.add(record);
    }),
  );
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function typeNameOf(type: GraphQLNamedType, record: StoredRecord, context: Context): string {
  const name = isUnionType(type) ? type.resolveType?.(record, context, undefined as never, type) : type.name;
  return typeof name === 'string' ? name : type.name;
}

/** Whether the mutation may have hidden the record: it is deleted or, if it has no `isDeleted`, the viewer's own. */
function isHiddenByWrite({ isDeleted, ...record }: StoredRecord, userId: string): boolean {
  return isDeleted ?? (record.userId === userId || record.requestorId === userId);
}

function isEndedMembership(record: StoredRecord, userId: string): boolean {
  const membership = record.membership ?? record.communityMembership;
  return typeof membership === 'string' && membership !== 'member' && record.userId === userId;
}

/** Types that resolvers derive from the record itself and the viewer's own actions, so they need no access to others. */
export const DERIVED_PARTS: ReadonlySet<string> = new Set(['FollowCounts', 'HashFlag', 'Mentionee', 'PollAnswer']);

/**
 * Makes the relations of {@link Context.unseen} records resolve to null or to an empty list or connection. Wraps every
 * field of a record type whose value is not part of the record itself.
 */
export function hideRelationsOfUnseen(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !authorizationOf(type.name)) continue;
    for (const field of Object.values(type.getFields())) {
      const target = getNamedType(field.type);
      if (isLeafType(target) || DERIVED_PARTS.has(target.name)) continue;
      const { resolve } = field;
      // Without a resolver, the value is stored in the record, and its own fields have no relations.
      if (!resolve && !authorizationOf(target.name)) continue;
      const isConnection = target.name.endsWith('Connection');
      const isList = String(field.type).startsWith('[');
      if (!isConnection && !isList && String(field.type).endsWith('!')) {
        throw new Error(`${type.name}.${field.name}: a relation to one record must be nullable.`);
      }
      const empty = isConnection ? EMPTY_CONNECTION : isList ? [] : null;
      const load = resolve ?? defaultFieldResolver;
      field.resolve = (record, args, context: Context, info) =>
        context.unseen?.has(record as object) ? empty : load(record, args, context, info);
    }
  }
  return schema;
}

const EMPTY_CONNECTION = {
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};
