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
 * Authorizes the stored answer of a repeated write against what the viewer sees now. Records that the write itself
 * took from the viewer's sight, by deleting them or by ending the viewer's own membership, are answered as stored, but
 * without relations: what those lead to has changed since.
 *
 * @throws {OperationError} NOT_FOUND when the viewer no longer sees another record of the answer
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
      if (!hasLeft && !isTakenAway(record, userId)) throw notFound(name);
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

/** Whether the write may have taken the record away: it is deleted, or it was the viewer's own and has no such mark. */
function isTakenAway({ isDeleted, ...record }: StoredRecord, userId: string): boolean {
  return isDeleted ?? (record.userId === userId || record.requestorId === userId);
}

function isEndedMembership(record: StoredRecord, userId: string): boolean {
  const membership = record.membership ?? record.communityMembership;
  return typeof membership === 'string' && membership !== 'member' && record.userId === userId;
}

/** Parts of records that resolvers derive from the record and from what the viewer did themselves. */
export const DERIVED_PARTS: ReadonlySet<string> = new Set(['HashFlag', 'Mentionee', 'PollAnswer']);

/**
 * Relations of {@link Context.unseen} records resolve to nothing: null, or an empty list or connection. Wraps every field
 * of records that leads to more than a part which is stored in the record itself.
 */
export function hideRelationsOfUnseen(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !authorizationOf(type.name)) continue;
    for (const field of Object.values(type.getFields())) {
      const target = getNamedType(field.type);
      if (isLeafType(target) || DERIVED_PARTS.has(target.name)) continue;
      const { resolve } = field;
      // Without a resolver it is read from the record as stored; the fields of such parts lead nowhere.
      if (!resolve && !authorizationOf(target.name)) continue;
      const isConnection = target.name.endsWith('Connection');
      const isList = String(field.type).startsWith('[');
      if (!isConnection && !isList && String(field.type).endsWith('!')) {
        throw new Error(`${type.name}.${field.name}: a relation to one record is nullable.`);
      }
      const nothing = isConnection ? NO_PAGE : isList ? [] : null;
      const load = resolve ?? defaultFieldResolver;
      field.resolve = (record, args, context: Context, info) =>
        context.unseen?.has(record as object) ? nothing : load(record, args, context, info);
    }
  }
  return schema;
}

const NO_PAGE = {
  edges: [],
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};
