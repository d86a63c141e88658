import { createHash } from 'node:crypto';
import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { usableFiles } from '../../file/usable-files.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireNotBlocked } from '../../user/blocks/blocks.ts';
import { requireUnbannedUsers } from '../../user/lookup/require-unbanned-users.ts';
import { channelEvent } from '../channel-events.ts';
import { CONVERSATION_PREFIX, createConversationInput, type NewConversation } from '../channel-input.ts';
import {
  type ChannelWithMembers,
  channelRecord,
  firstMembers,
  insertChannel,
  invalidateChannel,
} from '../new-channel.ts';

/**
 * Creates a conversation between the viewer and other users, or returns the existing one: distinct conversations exist
 * once per set of users. A record with a unique key of the set names the current one, so that its id is generated: an id
 * that follows from the users would reveal that the conversation exists, and published clients compare the id of a
 * channel with the feed of its messages.
 *
 * @throws {OperationError} NOT_FOUND for an unknown user or a file of another user; INVALID_PARAMETERS, also when no
 *   other user is named; FORBIDDEN if a block exists between the viewer and one of the users
 */
export async function createConversation(context: Context, input: NewConversation): Promise<ChannelWithMembers> {
  const viewer = viewerOf(context);
  const given = validate(createConversationInput, input);
  const userIds = [...new Set([viewer.userId, ...given.userIds])].sort();
  if (userIds.length < 2) {
    throw new OperationError('INVALID_PARAMETERS', { detail: ['userIds: at least one other user'], path: ['userIds'] });
  }
  const [users] = await Promise.all([
    requireUnbannedUsers(context, userIds),
    usableFiles(context, [given.avatarFileId], { path: ['avatarFileId'] }),
  ]);
  const isDistinct = given.isDistinct ?? true;
  const key = keyOf(userIds);
  const channel = channelRecord(context, {
    type: 'conversation',
    displayName: given.displayName ?? '',
    avatarFileId: given.avatarFileId ?? null,
    isPublic: false,
    isDistinct,
    tags: given.tags ?? [],
    metadata: given.metadata ?? {},
    notificationMode: given.notificationMode ?? 'default',
    memberCount: users.length,
  });
  const result = await context.transaction(
    async (session) => {
      await requireNotBlocked(context, userIds, { path: ['userIds'], session });
      const found = isDistinct ? await findDistinct(context, session, key) : null;
      if (found) return { channel: found, channelUsers: await membersOf(context, session, found) };
      const members = await firstMembers(context, session, { channel, userIds });
      if (isDistinct) await storeDistinct(context, session, { membersHash: key.membersHash, channel });
      await insertChannel(context, session, { channel, members });
      await appendEvents(context, session, [channelEvent('channel.created', channel)]);
      return { channel, channelUsers: members };
    },
    lockFor(context, 'channel', key.membersHash, { sharedUserIds: userIds }),
  );
  invalidateChannel(context, result.channel, userIds);
  context.load.channelMembers.prime([result.channel.channelId, 'member'], result.channelUsers);
  return result;
}

function membersOf(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: ChannelRecord,
): Promise<ChannelUserRecord[]> {
  const { channelUsers } = context.store.collections;
  return channelUsers.find({ networkId, channelId, membership: 'member' }, { session }).toArray();
}

/** The key of a set of users. It is only stored: everyone who knows the users can compute it. */
interface ConversationKey {
  membersHash: string;
  /** Ids of the set's conversations in older releases, in the form of the last one and of those before. */
  formerIds: readonly string[];
}

function keyOf(userIds: readonly string[]): ConversationKey {
  const hash = createHash('sha256').update(JSON.stringify(userIds)).digest();
  const formerIds = [hash.subarray(0, 20), hash].map((part) => `${CONVERSATION_PREFIX}${part.toString('base64url')}`);
  return { membersHash: hash.toString('base64url'), formerIds };
}

/** The live conversation of a set of users. */
async function findDistinct(
  context: Context,
  session: ClientSession,
  { membersHash, formerIds }: ConversationKey,
): Promise<ChannelRecord | null> {
  const { networkId } = viewerOf(context);
  const { channels, distinctConversations } = context.store.collections;
  const current = await distinctConversations.findOne({ networkId, membersHash }, { session });
  if (!current) return findFormer(context, session, formerIds);
  // A deleted conversation is replaced by the next one.
  return channels.findOne({ networkId, channelId: current.channelId, isDeleted: false }, { session });
}

/**
 * The live conversation that an older release created: its id follows from its users, and has a number if earlier ones
 * were deleted.
 */
async function findFormer(
  context: Context,
  session: ClientSession,
  formerIds: readonly string[],
): Promise<ChannelRecord | null> {
  const { networkId } = viewerOf(context);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const channels = await context.store.collections.channels
      .find({ networkId, channelId: { $in: formerIds.map((id) => `${id}${suffix}`) } }, { session })
      .toArray();
    const live = channels.find(({ isDeleted }) => !isDeleted);
    if (live || channels.length === 0) return live ?? null;
  }
}

/** Makes a new conversation the current one of its users. Of concurrent transactions, all but one are retried. */
async function storeDistinct(
  context: Context,
  session: ClientSession,
  { membersHash, channel }: { membersHash: string; channel: ChannelRecord },
): Promise<void> {
  const { networkId, channelId, createdAt } = channel;
  await context.store.collections.distinctConversations.updateOne(
    { networkId, membersHash },
    { $set: { channelId, updatedAt: createdAt }, $setOnInsert: { _id: new ObjectId(), createdAt } },
    { session, upsert: true },
  );
}
