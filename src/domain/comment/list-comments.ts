import type { Filter } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { KeysetOrder, Position } from '../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { filterValues } from '../unique-ids.ts';
import { canSeeReference, getComment } from './get-comment.ts';
import { shownComments } from './visible-comments.ts';

export type CommentSort = 'firstCreated' | 'lastCreated' | 'firstUpdated' | 'lastUpdated';

export interface CommentFilter {
  /** Whether to return only direct replies of `parentId`, or else all comments of the reference. @default true */
  filterByParentId?: boolean | null | undefined;
  /** The comment whose replies to return; null for top-level comments. */
  parentId?: string | null | undefined;
  /** Whether to return only flagged comments. @default false */
  hasFlag?: boolean | null | undefined;
  /** Deleted ones only, live ones only, or both (null). @default both */
  isDeleted?: boolean | null | undefined;
  /** Kinds of content of the comments: at least one of these (`any`), or exactly these (`exact`). */
  dataTypes?: { values: readonly string[]; matchType?: 'any' | 'exact' | null | undefined } | null | undefined;
  /** @default firstCreated, which is the order of `segmentNumber` */
  sortBy?: CommentSort | undefined;
  /** Only those after this `segmentNumber`; needs the order `firstCreated`. */
  afterSegment?: number | null | undefined;
  /** Only those before this `segmentNumber`; needs the order `firstCreated`. */
  beforeSegment?: number | null | undefined;
  request: PageRequest;
}

export interface Reference {
  referenceType: CommentRecord['referenceType'];
  referenceId: string;
}

export interface CommentQuery extends CommentFilter {
  /** @default post */
  referenceType?: CommentRecord['referenceType'] | null | undefined;
  /** @default the reference of the parent; without a parent, all comments in the network that the viewer sees */
  referenceId?: string | null | undefined;
}

/**
 * A page of comments.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the post or story
 */
export async function listComments(context: Context, query: CommentQuery): Promise<Page<CommentRecord>> {
  const reference = await referenceOf(context, query);
  if (!reference) return listAnywhere(context, query);
  if (!(await canSeeReference(context, reference.referenceType, reference.referenceId))) {
    throw notFound(reference.referenceType === 'story' ? 'Story' : 'Post');
  }
  return commentsOf(context, reference, query);
}

/**
 * As {@link listComments}, for a post or story of an event or response. Empty where the viewer does not see the thread:
 * deletions are also reported to users who no longer see it.
 */
export async function commentsUnder(
  context: Context,
  { isDeleted, ...reference }: Reference & { isDeleted: boolean },
  filter: CommentFilter,
): Promise<Page<CommentRecord>> {
  if (isDeleted && !(await canSeeReference(context, reference.referenceType, reference.referenceId)))
    return emptyPage(ORDERS[filter.sortBy ?? 'firstCreated']);
  return commentsOf(context, reference, filter);
}

/** As {@link listComments}, for a post, story or comment that the viewer sees. */
export async function commentsOf(
  context: Context,
  reference: Reference,
  filter: CommentFilter,
): Promise<Page<CommentRecord>> {
  const order = ORDERS[filter.sortBy ?? 'firstCreated'];
  const page = await readPage({
    collection: context.store.collections.comments,
    budget: context.reads,
    filter: { networkId: viewerOf(context).networkId, ...reference, ...conditionsOf(filter) },
    order,
    request: withSegments(filter, order),
    visible: (comments) => shownComments(context, comments),
  });
  return { ...page, ...neighboursOf(page, filter.request) };
}

async function referenceOf(context: Context, query: CommentQuery): Promise<Reference | null> {
  const { referenceId, parentId } = query;
  if (referenceId) return { referenceType: query.referenceType ?? 'post', referenceId };
  if (!parentId || query.filterByParentId === false) return null;
  const parent = await getComment(context, { commentId: parentId });
  if (!parent) throw notFound('Comment');
  return { referenceType: parent.referenceType, referenceId: parent.referenceId };
}

const REFERENCE_TYPES: ReadonlyArray<CommentRecord['referenceType']> = ['post', 'content', 'story'];

/** Segment numbers are per reference, so lists of the whole network are sorted by time. */
function listAnywhere(context: Context, query: CommentQuery): Promise<Page<CommentRecord>> {
  const order = ORDERS_ANYWHERE[query.sortBy ?? 'firstCreated'];
  return readPage({
    collection: context.store.collections.comments,
    budget: context.reads,
    filter: {
      networkId: viewerOf(context).networkId,
      // A negative condition, so that the query uses the index of the sort order instead of sorting in memory.
      ...(query.referenceType && {
        referenceType: { $nin: REFERENCE_TYPES.filter((type) => type !== query.referenceType) },
      }),
      ...conditionsOf(query),
    },
    order,
    request: withSegments(query, order),
    visible: async (comments) => {
      const seen = await Promise.all(
        comments.map(({ referenceType, referenceId }) => canSeeReference(context, referenceType, referenceId)),
      );
      return shownComments(
        context,
        comments.filter((_, index) => seen[index]),
      );
    },
  });
}

/** Segment numbers follow the order of creation. */
const ORDERS: { [Sort in CommentSort]: KeysetOrder } = {
  firstCreated: { field: 'segmentNumber', direction: 1, type: 'number' },
  lastCreated: { field: 'segmentNumber', direction: -1, type: 'number' },
  firstUpdated: { field: 'updatedAt', direction: 1, type: 'date' },
  lastUpdated: { field: 'updatedAt', direction: -1, type: 'date' },
};

const ORDERS_ANYWHERE: { [Sort in CommentSort]: KeysetOrder } = {
  ...ORDERS,
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
};

function conditionsOf(filter: CommentFilter): Filter<CommentRecord> {
  const { filterByParentId, parentId = null, hasFlag, isDeleted, dataTypes } = filter;
  return {
    ...(filterByParentId !== false && { parentId }),
    ...(hasFlag === true && { flagCount: { $gt: 0 } }),
    ...(isDeleted != null && { isDeleted }),
    ...(dataTypes &&
      dataTypes.values.length > 0 &&
      dataTypesCondition(filterValues('dataTypes', dataTypes.values), dataTypes.matchType)),
  };
}

function dataTypesCondition(values: string[], matchType?: 'any' | 'exact' | null): Filter<CommentRecord> {
  if (matchType !== 'exact') return { dataTypes: { $in: values } };
  return { $and: [{ dataTypes: { $size: values.length } }, ...values.map((value) => ({ dataTypes: value }))] };
}

/** Converts segment numbers to page positions. */
function withSegments({ afterSegment, beforeSegment, request }: CommentFilter, order: KeysetOrder): PageRequest {
  if (afterSegment == null && beforeSegment == null) return request;
  if (order !== ORDERS.firstCreated) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['afterSegment and beforeSegment require the comments of one record and the sort order firstCreated.'],
    });
  }
  return {
    ...request,
    after: request.after ?? positionAt(afterSegment, 'f'),
    before: request.before ?? positionAt(beforeSegment, '0'),
  };
}

/** Whether a page has neighbours within the segments: the position at which the first page starts is not one of a page. */
function neighboursOf(
  { backward }: Page<CommentRecord>,
  { after, before, skip }: PageRequest,
): Partial<Page<CommentRecord>> {
  return backward ? { hasNextPage: before !== null || skip > 0 } : { hasPreviousPage: after !== null || skip > 0 };
}

function positionAt(segment: number | null | undefined, digit: 'f' | '0'): Position | null {
  return segment == null ? null : { value: segment, id: digit.repeat(24) };
}
