import type { Filter } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import { presentMessage } from './get-message.ts';

export const MESSAGE_SORTS = ['segmentDesc', 'segmentAsc'] as const;

export interface MessageQuery {
  /** Replies to this message only; absent: every message, replies among them. */
  parentId?: string | null | undefined;
  /** text, image, file, video, audio, custom. */
  dataType?: string | null | undefined;
  /** Carries one of these tags. */
  tags?: readonly string[] | null | undefined;
  /** Carries none of these tags. */
  excludedTags?: readonly string[] | null | undefined;
  /** @default both: deleted ones keep their place, without their content */
  isDeleted?: boolean | null | undefined;
  /** @default segmentDesc */
  sortBy?: (typeof MESSAGE_SORTS)[number] | null | undefined;
  request: PageRequest;
}

const MAX_TAGS = 20;

/** The messages of a feed that the viewer sees, by segment. */
export async function listMessages(
  context: Context,
  feed: MessageFeedRecord,
  query: MessageQuery,
): Promise<Page<MessageRecord>> {
  if ((query.tags?.length ?? 0) > MAX_TAGS || (query.excludedTags?.length ?? 0) > MAX_TAGS) {
    throw new OperationError('INVALID_PARAMETERS', { detail: [`tags: at most ${MAX_TAGS}`], path: ['tags'] });
  }
  const membership = await context.load.channelUsers.load([feed.channelId, viewerOf(context).userId]);
  const page = await readPage({
    collection: context.store.collections.messages,
    filter: filterOf(feed, query),
    order: { field: 'segment', direction: query.sortBy === 'segmentAsc' ? 1 : -1, type: 'number' },
    request: query.request,
  });
  return { ...page, records: page.records.map((message) => presentMessage(context, message, membership)) };
}

function filterOf({ networkId, messageFeedId }: MessageFeedRecord, query: MessageQuery): Filter<MessageRecord> {
  const { parentId, dataType, tags, excludedTags, isDeleted } = query;
  return {
    networkId,
    messageFeedId,
    ...(parentId != null && { parentId }),
    ...(dataType != null && { dataType }),
    ...((tags?.length || excludedTags?.length) && {
      tags: { ...(tags?.length && { $in: [...tags] }), ...(excludedTags?.length && { $nin: [...excludedTags] }) },
    }),
    ...(isDeleted != null && { isDeleted }),
  };
}

/** The replies to a message that the viewer sees, oldest first. */
export async function listReplies(
  context: Context,
  message: MessageRecord,
  { request }: { request: PageRequest },
): Promise<Page<MessageRecord>> {
  const feed = await context.load.messageFeeds.load(message.messageFeedId);
  if (!feed) throw new OperationError('NOT_FOUND');
  return listMessages(context, feed, { parentId: message.messageId, sortBy: 'segmentAsc', request });
}
