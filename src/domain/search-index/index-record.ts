import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { ChannelRecord, MessageRecord } from '../../store/records/chat.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { UserRecord } from '../../store/records/user.ts';
import {
  entryOfChannel,
  entryOfCommunity,
  entryOfMessage,
  entryOfPost,
  entryOfUser,
  type SearchEntry,
  writeOfEntry,
} from '../../store/search/entries.ts';
import { insertInto } from '../../store/write-together.ts';

type Index<Record> = (context: Context, session: ClientSession, record: Record) => Promise<void>;

/** Each stores the entry of a record, or removes that of a deleted one, in the transaction of its write. */
export const indexPost: Index<PostRecord> = (context, session, post) => write(context, session, entryOfPost(post));
export const indexCommunity: Index<CommunityRecord> = (context, session, community) =>
  write(context, session, entryOfCommunity(community));
export const indexUser: Index<UserRecord> = (context, session, user) => write(context, session, entryOfUser(user));
export const indexChannel: Index<ChannelRecord> = (context, session, channel) =>
  write(context, session, entryOfChannel(channel));
export const indexMessage: Index<MessageRecord> = (context, session, message) =>
  write(context, session, entryOfMessage(message));

/** For new records: one without words needs no command. */
export const indexNewMessage: Index<MessageRecord> = (context, session, message) =>
  insert(context, session, entryOfMessage(message));
export const indexNewPost: Index<PostRecord> = (context, session, post) => insert(context, session, entryOfPost(post));
export const indexNewChannel: Index<ChannelRecord> = (context, session, channel) =>
  insert(context, session, entryOfChannel(channel));

/** Removes the entries of messages that are deleted or whose content is erased. */
export async function unindexMessages(
  context: Context,
  session: ClientSession,
  messages: ReadonlyArray<Pick<MessageRecord, 'networkId' | 'messageId'>>,
): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const recordId = { $in: messages.map(({ messageId }) => messageId) };
  const filter = { networkId: first.networkId, recordId, kind: 'message' as const };
  await context.store.collections.searchEntries.deleteMany(filter, { session });
}

async function write(context: Context, session: ClientSession, given: SearchEntry): Promise<void> {
  await context.store.collections.searchEntries.bulkWrite([writeOfEntry(given)], { session });
}

async function insert(context: Context, session: ClientSession, { entry }: SearchEntry): Promise<void> {
  if (entry) await insertInto(context.store.collections.searchEntries, [entry], session);
}
