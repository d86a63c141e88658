import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../records/chat.ts';
import { type Migration, type MigrationStep, readBatch } from './migration.ts';

/** Conversations per batch. */
const CONVERSATIONS = 100;
/** Generated names were cut to this length, or to one less where the cut would have split a surrogate pair. */
const LONGEST = 100;

/**
 * Older releases stored the names of the members as the name of an unnamed conversation and of its first feed. Such
 * names are now derived on read, so that they follow when a member is renamed or deleted.
 */
export const derivedConversationNames: Migration = {
  version: 8,
  name: 'no stored names of unnamed conversations',
  async run(step) {
    const { db, session } = step;
    const { records: channels, next } = await readBatch<ChannelRecord>(step, {
      collection: 'channels',
      filter: { type: 'conversation', displayName: { $ne: '' } },
      size: CONVERSATIONS,
    });
    const members = await recordsOf<ChannelUserRecord>(step, channels, {
      collection: 'channelUsers',
      key: 'channelId',
    });
    const feeds = await recordsOf<MessageFeedRecord>(step, channels, {
      collection: 'messageFeeds',
      key: 'messageFeedId',
      idOf: ({ defaultMessageFeedId }) => defaultMessageFeedId,
    });
    const generated = channels.filter((channel) => {
      const feed = feeds.get(keyOf(channel))?.[0];
      // The first feed got the name of the conversation; the names differ if one of the two was renamed.
      if (feed && feed.name !== channel.displayName && feed.editedAt === null) return false;
      return isNamedAfterMembers(channel.displayName, members.get(keyOf(channel)) ?? []);
    });
    if (generated.length === 0) return next;
    await db.collection<ChannelRecord>('channels').bulkWrite(
      generated.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $set: { displayName: '' } } } })),
      { session },
    );
    await db.collection<MessageFeedRecord>('messageFeeds').bulkWrite(
      generated.map(({ networkId, defaultMessageFeedId: messageFeedId, displayName: name }) => ({
        updateOne: { filter: { networkId, messageFeedId, name }, update: { $set: { name: '' } } },
      })),
      { session },
    );
    return next;
  },
};

interface Related {
  collection: string;
  /** The indexed field that holds the id of the channel, or what `idOf` returns. */
  key: string;
  idOf?: (channel: ChannelRecord) => string;
}

/** The records of another collection that belong to each channel. */
async function recordsOf<Stored extends { networkId: string; channelId: string }>(
  { db, session }: MigrationStep,
  channels: readonly ChannelRecord[],
  { collection, key, idOf = ({ channelId }) => channelId }: Related,
): Promise<Map<string, Stored[]>> {
  const idsOf = new Map<string, string[]>();
  for (const channel of channels) {
    const { networkId } = channel;
    idsOf.set(networkId, [...(idsOf.get(networkId) ?? []), idOf(channel)]);
  }
  const found = new Map<string, Stored[]>();
  for (const [networkId, ids] of idsOf) {
    const records = db.collection(collection).find<Stored>({ networkId, [key]: { $in: ids } }, { session });
    for await (const record of records) {
      const name = keyOf(record);
      found.set(name, [...(found.get(name) ?? []), record]);
    }
  }
  return found;
}

function keyOf({ networkId, channelId }: { networkId: string; channelId: string }): string {
  return JSON.stringify([networkId, channelId]);
}

/**
 * Whether a name is the generated one: the current names of all members in the order of their ids, cut to
 * {@link LONGEST}. The former name of a deleted member is unknown: it matches any text without `, `, provided that the
 * full name of another member is found. Any other name may have been chosen by a user, so it is kept.
 */
function isNamedAfterMembers(name: string, members: readonly ChannelUserRecord[]): boolean {
  const ordered = [...members].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  let known = '';
  let isNameFound = false;
  for (const [index, { displayName, isDeleted }] of ordered.entries()) {
    const start = index === 0 ? '' : `${known}, `;
    if (isDeleted && name.startsWith(start)) {
      const end = name.indexOf(', ', start.length);
      const isLast = index === ordered.length - 1;
      if (end === -1 && !isLast) return isNameFound && name.length >= LONGEST - 1;
      known = end === -1 ? name : name.slice(0, end);
    } else {
      known = isDeleted ? start : start + displayName;
      if (!name.startsWith(known)) {
        const isWhole = ordered.every((member) => !member.isDeleted);
        return (isWhole || isNameFound) && known.length > LONGEST && cut(known) === name;
      }
      isNameFound ||= displayName !== '';
    }
  }
  return ordered.length > 1 && isNameFound && known === name;
}

/** Cuts a name as older releases did. */
function cut(name: string): string {
  const short = name.slice(0, LONGEST);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
