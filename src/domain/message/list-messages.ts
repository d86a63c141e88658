import type { Filter } from 'mongodb';
import { canModerateMessages } from '../../access/channel.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { emptyPage, type Page, type PageQuery, type PageRequest, readPage } from '../../store/page.ts';
import type { MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import { canReadFeed } from '../message-feed/get-message-feed.ts';
import { presentMessage } from './get-message.ts';

export const MESSAGE_SORTS = ['segmentDesc', 'segmentAsc'] as const;

export interface MessageQuery {
  /** Only replies to this message; by default all messages, replies included. */
  parentId?: string | null | undefined;
  /** text, image, file, video, audio, custom. */
  dataType?: string | null | undefined;
  /** Has at least one of these tags. */
  tags?: readonly string[] | null | undefined;
  /** Has none of these tags. */
  excludedTags?: readonly string[] | null | undefined;
  /** true: deleted messages, without their content; false: live ones. @default both */
  isDeleted?: boolean | null | undefined;
  /** Id of a message in the middle of the page. */
  around?: string | null | undefined;
  /** @default segmentDesc */
  sortBy?: (typeof MESSAGE_SORTS)[number] | null | undefined;
  request: PageRequest;
}

const MAX_TAGS = 20;

/**
 * A page of the messages of a feed, by segment; empty for a deleted feed that the viewer cannot read.
 * @throws {OperationError} INVALID_PARAMETERS for bounds, NOT_FOUND when `around` names no message of the feed
 */
export async function listMessages(
  context: Context,
  feed: MessageFeedRecord,
  query: MessageQuery,
): Promise<Page<MessageRecord>> {
  if ((query.tags?.length ?? 0) > MAX_TAGS || (query.excludedTags?.length ?? 0) > MAX_TAGS) {
    throw new OperationError('INVALID_PARAMETERS', { detail: [`tags: at most ${MAX_TAGS}`], path: ['tags'] });
  }
  const membership = await context.load.channelUsers.load([feed.channelId, viewerOf(context).userId]);
  const pages: Pages = {
    collection: context.store.collections.messages,
    budget: context.reads,
    filter: filterOf(feed, query, canModerateMessages(viewerOf(context), membership)),
    order: { field: 'segment', direction: query.sortBy === 'segmentAsc' ? 1 : -1, type: 'number' },
  };
  if (!(await canReadFeed(context, feed))) return emptyPage(pages.order);
  const page =
    query.around == null
      ? await readPage({ ...pages, request: query.request })
      : await readAround(pages, query.request, await messageIn(context, feed, query.around));
  return { ...page, records: page.records.map((message) => presentMessage(context, message, membership)) };
}

type Pages = Pick<PageQuery<MessageRecord>, 'collection' | 'filter' | 'order' | 'budget'>;

async function messageIn(
  context: Context,
  { messageFeedId }: MessageFeedRecord,
  messageId: string,
): Promise<MessageRecord> {
  const message = await context.load.messages.load(messageId);
  if (message?.messageFeedId !== messageFeedId) throw notFound('Message');
  return message;
}

/** A page around a message, or around its position when the filter excludes it. */
async function readAround(
  pages: Pages,
  { limit, after, before, backward, skip }: PageRequest,
  { _id, segment }: MessageRecord,
): Promise<Page<MessageRecord>> {
  if (after || before || backward || skip > 0) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['around: can only be combined with the argument first'],
      path: ['around'],
    });
  }
  // A position between the message and its predecessor in this order.
  const gap = { value: segment - pages.order.direction / 2, id: _id.toHexString() };
  const half = Math.floor(limit / 2);
  const request = { after: null, before: null, skip: 0, backward: false };
  const [earlier, later] = await Promise.all([
    readPage({ ...pages, request: { ...request, limit: Math.max(1, half), before: gap, backward: true } }),
    readPage({ ...pages, request: { ...request, limit: limit - half, after: gap } }),
  ]);
  const kept = half === 0 ? [] : earlier.records;
  return {
    records: [...kept, ...later.records],
    order: pages.order,
    backward: false,
    hasPreviousPage: earlier.hasPreviousPage || earlier.records.length > kept.length,
    hasNextPage: later.hasNextPage,
  };
}

/** @param seesTagsOfDeleted whether the viewer sees the tags of deleted messages: for others, these have none */
function filterOf(
  { networkId, messageFeedId }: MessageFeedRecord,
  query: MessageQuery,
  seesTagsOfDeleted: boolean,
): Filter<MessageRecord> {
  const { parentId, dataType, isDeleted } = query;
  const tags = tagFilterOf(query);
  return {
    networkId,
    messageFeedId,
    ...(parentId != null && { parentId }),
    ...(dataType != null && { dataType }),
    ...(isDeleted != null && { isDeleted }),
    ...(tags && (seesTagsOfDeleted ? tags : hidingDeletedTags(tags, query))),
  };
}

function tagFilterOf({ tags, excludedTags }: MessageQuery): Filter<MessageRecord> | null {
  if (!tags?.length && !excludedTags?.length) return null;
  return {
    tags: { ...(tags?.length && { $in: [...tags] }), ...(excludedTags?.length && { $nin: [...excludedTags] }) },
  };
}

/** The same filter for a viewer to whom deleted messages have no tags. */
function hidingDeletedTags(filter: Filter<MessageRecord>, { tags }: MessageQuery): Filter<MessageRecord> {
  return tags?.length ? { $and: [filter, { isDeleted: false }] } : { $or: [filter, { isDeleted: true }] };
}

/** The replies to a message, oldest first. */
export async function listReplies(
  context: Context,
  message: MessageRecord,
  { request }: { request: PageRequest },
): Promise<Page<MessageRecord>> {
  const feed = await context.load.messageFeeds.load(message.messageFeedId);
  if (!feed) throw new OperationError('NOT_FOUND');
  return listMessages(context, feed, { parentId: message.messageId, sortBy: 'segmentAsc', request });
}
