import { z } from 'zod';
import { enumParam } from '../../enum-param.ts';
import {
  type CommentDataTypesMatch,
  type CommentReferenceType,
  type CommentSort,
  QueryCommentsDocument,
} from '../../generated/documents.ts';
import { type ConnectionVariables, connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, int, list, text } from '../../params.ts';
import { route } from '../../route.ts';

const limit = int({ min: 1, max: 100 }).optional();
const segment = int({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional();

/** Two ways through one list (legacy-facts §5): along segment numbers, or in pages of any order. */
const options = z
  .object({
    type: z.enum(['scrollable', 'pagination']).default('scrollable'),
    first: limit,
    after: segment,
    last: limit,
    before: segment,
    limit,
    pageSize: limit,
    skip: int({ min: 0, max: 100 }).optional(),
    token: text({ max: 1_000 }).optional(),
  })
  .default({ type: 'scrollable' });

type Options = z.output<typeof options>;

const dataTypes = z
  .object({
    values: list(text({ max: 100 }), { max: 20 }).optional(),
    matchType: enumParam<CommentDataTypesMatch>('CommentDataTypesMatch').default('ANY'),
  })
  .nullish();

export const COMMENT_ARRAYS = ['comments', 'commentChildren', 'communityUsers', 'users', 'roles', 'files'] as const;

export const queryComments = route({
  method: 'GET',
  path: '/api/v3/comments',
  section: 'interface §4.4',
  summary: 'Query comments.',
  params: z.object({
    referenceId: id().optional(),
    referenceType: enumParam<CommentReferenceType>('CommentReferenceType').optional(),
    filterByParentId: bool().default(true),
    parentId: id().nullish(),
    hasFlag: boolOrBoth().default(false),
    isDeleted: boolOrBoth().default(null),
    sortBy: enumParam<CommentSort>('CommentSort').optional(),
    options,
    dataTypes,
  }),
  document: QueryCommentsDocument,
  variables: (params) => ({
    referenceId: params.referenceId ?? null,
    referenceType: params.referenceType ?? null,
    sortBy: sortOf(params.options, params.sortBy),
    filter: {
      filterByParentId: params.filterByParentId,
      parentId: params.parentId ?? null,
      hasFlag: params.hasFlag,
      isDeleted: params.isDeleted,
      dataTypes: kindsOf(params.dataTypes),
      ...segmentsOf(params.options),
    },
    ...pageOf(params.options),
  }),
  arrays: COMMENT_ARRAYS,
  paging: ['previous'],
  // Clients scroll to the first page and request the second one as pagination (legacy-facts §3).
  tokenDecides: ['options.type'],
  apiKey: 'checked',
});

/** `sortBy` counts in pagination only; scrolling follows the segment numbers. */
function sortOf({ type }: Options, sortBy: CommentSort | undefined): CommentSort {
  return type === 'pagination' ? (sortBy ?? 'LAST_CREATED') : 'FIRST_CREATED';
}

function kindsOf(given: z.output<typeof dataTypes>) {
  return given?.values ? { values: given.values, matchType: given.matchType } : null;
}

function segmentsOf({ type, after, before }: Options) {
  if (type === 'pagination') return {};
  return { afterSegment: after ?? null, beforeSegment: before ?? null };
}

function pageOf({ type, token, first, last, before, after, limit, pageSize, skip }: Options): ConnectionVariables {
  if (token !== undefined) return connectionVariables({ token, limit: limit ?? pageSize });
  const size = limit ?? pageSize ?? 10;
  if (type === 'pagination') return { first: size, skip: skip ?? 0 };
  if (first !== undefined || last !== undefined) return { ...(first && { first }), ...(last && { last }) };
  return before !== undefined && after === undefined ? { last: size } : { first: size };
}
