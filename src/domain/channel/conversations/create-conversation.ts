import { createHash } from 'node:crypto';
import type { ClientSession } from 'mongodb';
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
 * once per set of users. Their id is a hash of the user ids, so that the unique index prevents a second one.
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
    requireNotBlocked(context, userIds, { path: ['userIds'] }),
  ]);
  const isDistinct = given.isDistinct ?? true;
  const keys = conversationKeys(userIds);
  const draft = channelRecord(context, {
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
      const { found, channelId } = isDistinct
        ? await findDistinct(context, session, keys)
        : { found: null, channelId: draft.channelId };
      if (found) return { channel: found, channelUsers: await membersOf(context, session, found) };
      const channel = { ...draft, channelId };
      const members = await firstMembers(context, session, { channel, userIds });
      await insertChannel(context, session, { channel, members });
      await appendEvents(context, session, [channelEvent('channel.created', channel)]);
      return { channel, channelUsers: members };
    },
    lockFor(context, 'channel', keys.current),
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

interface ConversationKeys {
  /** 40 characters, which leaves room for a number within {@link MAX_CHANNEL_ID}. */
  current: string;
  /** The longer form that earlier versions generated; existing conversations keep it. */
  former: string;
}

function conversationKeys(userIds: readonly string[]): ConversationKeys {
  const hash = createHash('sha256').update(JSON.stringify(userIds)).digest();
  return {
    current: `${CONVERSATION_PREFIX}${hash.subarray(0, 20).toString('base64url')}`,
    former: `${CONVERSATION_PREFIX}${hash.toString('base64url')}`,
  };
}

/** The live conversation of these users, else the next free id: a deleted conversation keeps its id. */
async function findDistinct(
  context: Context,
  session: ClientSession,
  { current, former }: ConversationKeys,
): Promise<{ found: ChannelRecord | null; channelId: string }> {
  const { networkId } = viewerOf(context);
  let unused: string | null = null;
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const channelId = `${current}${suffix}`;
    const channels = await context.store.collections.channels
      .find({ networkId, channelId: { $in: [channelId, `${former}${suffix}`] } }, { session })
      .toArray();
    const live = channels.find(({ isDeleted }) => !isDeleted);
    if (live) return { found: live, channelId: live.channelId };
    if (!channels.some((channel) => channel.channelId === channelId)) unused ??= channelId;
    if (channels.length === 0) return { found: null, channelId: unused ?? channelId };
  }
}
