import { GRAPHQL_MAX_INT } from 'graphql';
import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import type { CommentSort } from '../../generated/variables.ts';
import { type ConnectionVariables, connectionVariables } from '../../paging.ts';
import { bool, boolOrBoth, id, int, list, text } from '../../params.ts';
import { route } from '../../route.ts';
import { COMMENT_ARRAYS } from '../../side-arrays.ts';

const limit = int({ min: 1, max: 100 }).optional();
const segment = int({ min: 0, max: GRAPHQL_MAX_INT }).optional();

/** `scrollable` follows segment numbers, `pagination` pages through any order: `docs/interface.md#query-comments`. */
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
  .default({ type: 'scrollable' })
  .describe(
    'Page. `scrollable` (default) lists by `segmentNumber`: `first` comments after the segment `after`, or `last` before the segment `before`. `pagination` lists by `sortBy`: `limit` comments, with `skip`. `token` from `paging` leads to another page. Sizes are 1 to 100, by default 10.',
  );

type Options = z.output<typeof options>;

const dataTypes = z
  .object({
    values: list(text({ max: 100 }), { max: 20 }).optional(),
    matchType: enumParam('CommentDataTypesMatch').default('ANY'),
  })
  .nullish();

export const queryComments = route({
  method: 'GET',
  path: '/api/v3/comments',
  reference: 'query-comments',
  summary: 'List comments on a record, replies to a comment, or all comments of the network.',
  params: z.object({
    referenceId: id().optional(),
    referenceType: enumParam('CommentReferenceType').optional(),
    filterByParentId: bool().default(true),
    parentId: id().nullish(),
    hasFlag: boolOrBoth().default(false),
    isDeleted: boolOrBoth().default(null),
    sortBy: enumParam('CommentSort').optional(),
    options,
    dataTypes,
  }),
  document: operation('QueryComments'),
  variables: (params) => ({
    referenceId: params.referenceId ?? null,
    referenceType: params.referenceType ?? null,
    sortBy: sortOf(params.options, params.sortBy),
    filter: {
      filterByParentId: params.filterByParentId,
      parentId: params.parentId ?? null,
      hasFlag: params.hasFlag,
      isDeleted: params.isDeleted,
      dataTypes: dataTypesFilter(params.dataTypes),
      ...segmentsOf(params.options),
    },
    ...pageOf(params.options),
  }),
  arrays: COMMENT_ARRAYS,
  paging: ['previous'],
  // Clients request the first page as `scrollable` and the next ones as `pagination`: `docs/interface.md#what-clients-send`.
  tokenDecides: ['options.type'],
  continuesWithPrevious: ({ options, sortBy }) =>
    options.type === 'scrollable' && sortBy === undefined && !pageOf(options).last,
  apiKey: 'checked',
});

/** `sortBy` has an effect in pagination only; scrolling follows the segment numbers. */
function sortOf({ type }: Options, sortBy: CommentSort | undefined): CommentSort {
  return type === 'pagination' ? (sortBy ?? 'LAST_CREATED') : 'FIRST_CREATED';
}

function dataTypesFilter(dataTypesParam: z.output<typeof dataTypes>) {
  if (!dataTypesParam?.values) return null;
  return { values: dataTypesParam.values, matchType: dataTypesParam.matchType };
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
