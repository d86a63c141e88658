import { type Context, viewerOf } from '../../../context.ts';
import { decodeRecords } from '../../../store/decode.ts';
import { MAX_PAGE_MS } from '../../../store/keyset.ts';
import type { Loaders } from '../../../store/loaders.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { containsText } from '../../../store/text-filter.ts';
import { channelIdsOfMember } from '../lists/member-channel-ids.ts';
import { nameOfMembers } from './channel-name.ts';

/** Maximum conversations to search. */
const MAX_CONVERSATIONS = 500;
/** Maximum members of these conversations in total. */
const MAX_MEMBERS = 10_000;

/** By the loaders of a request, so that several lists of one request read the names once. */
const namesByRequest = new WeakMap<Loaders, Promise<DerivedName[]>>();

interface DerivedName {
  channelId: string;
  name: string;
}

/**
 * Ids of the viewer's unnamed conversations whose derived name contains the text. Searches the most recently active
 * {@link MAX_CONVERSATIONS}.
 *
 * @throws {OperationError} TOO_LARGE when the request has read more than `readBytes`
 */
export async function conversationsWithName(context: Context, keyword: string): Promise<string[]> {
  const { $regex, $options } = containsText(keyword);
  const pattern = new RegExp($regex, `${$options}u`);
  const reading = namesByRequest.get(context.load) ?? readDerivedNames(context);
  namesByRequest.set(context.load, reading);
  return (await reading).filter(({ name }) => pattern.test(name)).map(({ channelId }) => channelId);
}

async function readDerivedNames(context: Context): Promise<DerivedName[]> {
  const channelIds = await unnamedConversations(context);
  if (channelIds.length === 0) return [];
  const { networkId } = viewerOf(context);
  const found = await context.store.collections.channelUsers
    .find({ networkId, channelId: { $in: channelIds }, membership: 'member' }, { raw: true, maxTimeMS: MAX_PAGE_MS })
    .project({ _id: 0, channelId: 1, userId: 1, displayName: 1 })
    .toArray();
  const members = await decodeRecords(found as unknown as Buffer[], context.reads);
  const membersOf = new Map<string, ChannelUserRecord[]>(channelIds.map((channelId) => [channelId, []]));
  for (const member of members as ChannelUserRecord[]) membersOf.get(member.channelId)?.push(member);
  return [...membersOf].map(([channelId, list]) => ({ channelId, name: nameOfMembers(list) }));
}

/** Ids of the viewer's unnamed conversations, within the bounds of the search. */
async function unnamedConversations(context: Context): Promise<string[]> {
  const { networkId, userId } = viewerOf(context);
  const joined = await channelIdsOfMember(context, userId);
  if (joined.length === 0) return [];
  const found = await context.store.collections.channels
    .find(
      { networkId, channelId: { $in: joined }, type: 'conversation', displayName: '' },
      { raw: true, maxTimeMS: MAX_PAGE_MS },
    )
    .project({ _id: 0, channelId: 1, memberCount: 1 })
    .toArray();
  const unnamed = (await decodeRecords(found as unknown as Buffer[], context.reads)) as ChannelRecord[];
  const sizes = new Map(unnamed.map(({ channelId, memberCount }) => [channelId, memberCount]));
  const searched: string[] = [];
  let members = 0;
  for (const channelId of joined) {
    if (!sizes.has(channelId)) continue;
    members += sizes.get(channelId)!;
    if (searched.length === MAX_CONVERSATIONS || members > MAX_MEMBERS) break;
    searched.push(channelId);
  }
  return searched;
}
