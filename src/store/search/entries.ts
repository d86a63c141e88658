import type { AnyBulkWriteOperation } from 'mongodb';
import type { BaseRecord } from '../records/base.ts';
import type { ChannelRecord, MessageRecord } from '../records/chat.ts';
import type { CommunityRecord } from '../records/community.ts';
import type { PostRecord } from '../records/content.ts';
import type { SearchEntryRecord, SearchKind } from '../records/search.ts';
import type { UserRecord } from '../records/user.ts';
import { gramsOfName } from './name-grams.ts';
import { EVERY_RECORD, type SearchableText, tokensOf } from './tokens.ts';

/** A record's entry, and what identifies it when the record has no words. */
export interface SearchEntry {
  key: Pick<SearchEntryRecord, 'networkId' | 'kind' | 'recordId'>;
  /** Null: the record is not searchable. */
  entry: SearchEntryRecord | null;
}

/** Parent posts are found by title, text, tags and hashtags; child posts have no texts of their own. */
export function entryOfPost(post: PostRecord): SearchEntry {
  const { data, tags, hashtags, isDeleted, parentPostId } = post;
  return entryOf(post, {
    kind: 'post',
    recordId: post.postId,
    scopeId: postScope(post),
    texts: isDeleted || parentPostId ? null : { heading: data.title, text: data.text, tags, hashtags },
  });
}

export function postScope({ targetType, targetId }: Pick<PostRecord, 'targetType' | 'targetId'>): string {
  return `${targetType}/${targetId}`;
}

/** Communities are found by name, description and tags; in lists, which may contain deleted ones, by parts of the name. */
export function entryOfCommunity(community: CommunityRecord): SearchEntry {
  const { communityId, displayName, description, tags, isDeleted } = community;
  const texts = isDeleted ? null : { heading: displayName, text: description, tags };
  return entryOf(community, { kind: 'community', recordId: communityId, texts, name: displayName });
}

/** Users are found by name; in lists, which may contain deleted ones, by parts of the name. */
export function entryOfUser(user: UserRecord): SearchEntry {
  const { userId, displayName, isDeleted } = user;
  const texts = isDeleted ? null : { text: displayName };
  return entryOf(user, { kind: 'user', recordId: userId, texts, name: displayName });
}

/** Channels are found in lists by parts of the name, the public ones apart from the others. */
export function entryOfChannel(channel: ChannelRecord): SearchEntry {
  const { channelId, displayName, isPublic } = channel;
  return entryOf(channel, {
    kind: 'channel',
    recordId: channelId,
    scopeId: channelsScope(isPublic),
    texts: null,
    name: displayName,
  });
}

export const channelsScope = (isPublic: boolean): string => (isPublic ? 'channels/public' : 'channels/private');

/** Messages are found by text and tags, within their channel. */
export function entryOfMessage(message: MessageRecord): SearchEntry {
  const { messageId, channelId, data, tags, isDeleted } = message;
  const text = typeof data.text === 'string' ? data.text : '';
  return entryOf(message, {
    kind: 'message',
    recordId: messageId,
    scopeId: messageScope(channelId),
    texts: isDeleted ? null : { text, tags },
  });
}

export const messageScope = (channelId: string): string => `channel/${channelId}`;

interface EntryFields {
  kind: SearchKind;
  recordId: string;
  scopeId?: string;
  texts: SearchableText | null;
  /** The name that lists compare with a text. */
  name?: string;
}

const NETWORK_WIDE: { readonly [Kind in SearchKind]: boolean } = {
  post: true,
  community: true,
  user: true,
  channel: false,
  message: false,
};

function entryOf(
  { _id, networkId, createdAt, updatedAt }: BaseRecord,
  { kind, recordId, scopeId, texts, name = '' }: EntryFields,
): SearchEntry {
  const key = { networkId, kind, recordId };
  const { exact, prefixes } = tokensOf(texts ?? {});
  const grams = gramsOfName(name);
  if (exact.length + grams.length === 0) return { key, entry: null };
  const scope = scopeId && { scopeId, scopeTokens: [...exact, ...(exact.length > 0 ? [EVERY_RECORD] : []), ...grams] };
  const tokens = NETWORK_WIDE[kind] && { tokens: [...exact, ...prefixes, ...grams] };
  return { key, entry: { _id, ...key, ...scope, ...tokens, createdAt, updatedAt } };
}

/** The collections whose records are searchable. */
const ENTRY_OF = {
  users: entryOfUser,
  communities: entryOfCommunity,
  channels: entryOfChannel,
  posts: entryOfPost,
  messages: entryOfMessage,
};

export const SEARCHED_COLLECTIONS = Object.keys(ENTRY_OF) as Array<keyof typeof ENTRY_OF>;

/** The entries of stored records; none for a collection that is not searchable. */
export function entriesOf(collection: string, records: readonly object[]): SearchEntryRecord[] {
  if (!Object.hasOwn(ENTRY_OF, collection)) return [];
  const entryOfRecord = ENTRY_OF[collection as keyof typeof ENTRY_OF] as (record: object) => SearchEntry;
  return records.map((record) => entryOfRecord(record).entry).filter((entry) => entry !== null);
}

/** Stores an entry or removes it; safe to repeat. */
export function writeOfEntry({ key, entry }: SearchEntry): AnyBulkWriteOperation<SearchEntryRecord> {
  const { networkId, recordId, kind } = key;
  const filter = { networkId, recordId, kind };
  if (!entry) return { deleteOne: { filter } };
  const { _id, networkId: _, kind: __, recordId: ___, ...fields } = entry;
  return { updateOne: { filter, update: { $set: fields, $setOnInsert: { _id } }, upsert: true } };
}
