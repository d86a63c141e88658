import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Page, PageRequest } from '../../store/page.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { messageScope } from '../../store/search/entries.ts';
import { findInsideChannel } from '../channel/get-channel.ts';
import { channelIdsOfMember } from '../channel/lists/member-channel-ids.ts';
import { findMessage } from '../message/get-message.ts';
import { type SearchHit, searchPage } from './search-page.ts';
import { searchWords } from './search-words.ts';

/** The most channels that one search reads: those of the viewer that were active last. */
export const MAX_SEARCHED_CHANNELS = 20;

export interface MessageSearch {
  query: string;
  /** Only messages of this channel. @default the viewer's {@link MAX_SEARCHED_CHANNELS} most recently active channels */
  channelId?: string | null | undefined;
  request: PageRequest;
}

/**
 * Messages that the viewer can read, by text and tags.
 * @throws {OperationError} INVALID_PARAMETERS for bounds; NOT_FOUND when the viewer does not see inside the channel
 */
export async function searchMessages(
  context: Context,
  { query, channelId, request }: MessageSearch,
): Promise<Page<SearchHit<MessageRecord>>> {
  const channelIds = channelId ? [await visibleChannel(context, channelId)] : await recentChannels(context);
  return searchPage(context, {
    kind: 'message',
    scopeIds: channelIds.map(messageScope),
    words: searchWords(query),
    request,
    load: (messageIds) =>
      Promise.all(
        messageIds.map(async (messageId) => {
          const place = await findMessage(context, messageId);
          return place && !place.message.isDeleted && !place.feed.isDeleted && !place.channel.isDeleted
            ? place.message
            : null;
        }),
      ),
  });
}

async function visibleChannel(context: Context, channelId: string): Promise<string> {
  if (!(await findInsideChannel(context, channelId))) throw notFound('Channel');
  return channelId;
}

function recentChannels(context: Context): Promise<string[]> {
  return channelIdsOfMember(context, viewerOf(context).userId, MAX_SEARCHED_CHANNELS);
}
