import type { LiveEvent } from '../../events/log.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { LazyEventView } from '../visibility/lazy-event-view.ts';

/**
 * The topics of an event, the most specific first: its path, and the topics under which published clients expect it in
 * addition. See docs/reference/mqtt.md#topics.
 *
 * @param options.hasPublicReceipts whether a client listens to a filter for which {@link isPublicReceiptFilter} is true
 */
export async function topicsOf(
  { event }: LiveEvent,
  lazyView: LazyEventView,
  { hasPublicReceipts }: { hasPublicReceipts: boolean },
): Promise<string[]> {
  const { networkId, path, type } = event;
  const [subject] = type.split('.');
  if (type === 'user.deleted') return [path, networkId];
  if (subject === 'video-streaming') return [path, `${networkId}/videostreaming`];
  if (subject === 'room') return [path, `${path}/streamer`];
  if (subject === 'poll') {
    const { pollId } = event.data as { pollId: string };
    const posts = (await lazyView.load.postsOfPoll.load(pollId)) ?? [];
    return [path, ...posts.flatMap(topicsOfPost)];
  }
  // Every message has such an event, so its channel is read only if needed.
  if (subject === 'marker' && hasPublicReceipts) return [path, ...(await publicReceiptTopics(path, lazyView))];
  return [path];
}

/** A poll is shown by a child post; clients listen to its parent. */
function topicsOfPost({ path, parentPostId }: PostRecord): string[] {
  return parentPostId === null ? [path] : [path, `${path.slice(0, path.lastIndexOf('/'))}/${parentPostId}`];
}

const RECEIPTS = /^([^/]+)\/marker\/channel\/([^/]+)\/message\/(.+)$/;

/**
 * Whether a topic filter of receipts may name the channel by its public id, which clients send, too. The id of a default
 * feed is the internal id of its channel.
 */
export function isPublicReceiptFilter(filter: string): boolean {
  const [, , channelId, feedId] = RECEIPTS.exec(filter) ?? [];
  return channelId !== undefined && channelId !== feedId;
}

/** The topic of the receipts of a message feed with the public id of the channel. */
async function publicReceiptTopics(path: string, lazyView: LazyEventView): Promise<string[]> {
  const [, networkId, internalId, feedId] = RECEIPTS.exec(path) ?? [];
  if (internalId === undefined) return [];
  const channel = await lazyView.load.channelsByInternalId.load(internalId);
  if (!channel || channel.channelId === internalId) return [];
  return [`${networkId}/marker/channel/${channel.channelId}/message/${feedId}`];
}

/** The last part of a user's own topic that delivers events of the user's channels, by the subject of the event. */
const OWN_TOPICS: { readonly [subject: string]: string } = {
  channel: 'channels',
  'message-feed': 'messagefeeds',
  message: 'messages',
};

/** The channel whose members receive an event on their own topics, and the last part of these topics. */
export interface OwnTopic {
  channelId: string;
  leaf: string;
}

/** @returns null for events that are about no channel, and for messages of live channels */
export async function ownTopicOf({ event }: LiveEvent, lazyView: LazyEventView): Promise<OwnTopic | null> {
  const leaf = OWN_TOPICS[event.type.slice(0, event.type.indexOf('.'))];
  if (leaf === undefined) return null;
  const view = await lazyView.get();
  if (view?.scope?.type !== 'channel') return null;
  const channelId = view.scope.id;
  if (leaf !== 'messages') return { channelId, leaf };
  const channel = await lazyView.load.channels.load(channelId);
  return channel === null || channel.type === 'live' ? null : { channelId, leaf };
}

/** The filter of a user's own topic. */
export function ownFilter(networkId: string, userInternalId: string, leaf: string): string {
  return `${networkId}/smartfeed/${userInternalId}/${leaf}`;
}

/** Whether a filter is a user's own topic about channels. */
export function isOwnFilter(networkId: string, topic: string): boolean {
  return topic.startsWith(`${networkId}/smartfeed/`);
}
