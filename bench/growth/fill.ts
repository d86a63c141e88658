import { PERMISSIONS } from '../../src/access/permissions.ts';
import { channelRecord, channelUserRecord, messageFeedRecord, messageRecord } from '../../src/sample/builders/chat.ts';
import { communityRecord, communityUserRecord } from '../../src/sample/builders/community.ts';
import { commentRecord, postRecord } from '../../src/sample/builders/content.ts';
import { defaultRoleRecords, userRecord } from '../../src/sample/builders/user.ts';
import { insertMissingRoles } from '../../src/sample/insert.ts';
import { createWriter } from '../../src/sample/scale/writer.ts';
import { openStore } from '../../src/store/store.ts';
import { benchContext, NETWORK_ID, VIEWERS, viewerId, writeBenchRecords } from '../data.ts';

/** Records that are written for each number: a user, their memberships, and one of each other kind. */
const KINDS = 8;
/** So many of each kind match the rare tag, name or flag, in both networks. */
const RARE = 20;
/** Records per insert; a busy machine may take minutes for one. */
const BATCH = 250;
const FILL_TIMEOUT_MS = 600_000;

/**
 * Writes about `records` records: users, who are all members of one community and channel, communities, channels, posts
 * in that community, comments on one post, and messages of that channel. The viewers are members, too.
 */
export async function fillGrowth(uri: string, records: number): Promise<void> {
  const store = await openStore({ uri, timeoutMs: FILL_TIMEOUT_MS });
  try {
    await writeBenchRecords(store.collections);
    const writer = createWriter({ collections: store.collections, batchSize: BATCH });
    const context = benchContext();
    const count = Math.ceil(records / KINDS);
    const owner = viewerId(0);
    const base = { userId: owner, displayName: 'Crowd', channelId: 'crowd' };
    const community = communityRecord(context, { ...base, communityId: 'crowd', membersCount: count });
    const channel = channelRecord(context, { ...base, type: 'community', memberCount: count });
    const feed = messageFeedRecord(context, {
      channel,
      key: 'talk',
      userId: owner,
      isDefault: true,
      lastSegment: count,
    });
    const target = { targetType: 'community' as const, targetId: 'crowd' };
    const on = postRecord(context, { ...target, postId: 'crowded', postedUserId: owner, data: { text: 'Crowd' } });
    await writer.add('communities', [community]);
    await writer.add('channels', [channel]);
    await writer.add('messageFeeds', [feed]);
    await writer.add('posts', [on]);
    const viewer = userRecord(context, { userId: owner, displayName: 'User 0' });
    await writer.add('communityUsers', [communityUserRecord(context, { community, user: viewer })]);
    await writer.add('channelUsers', [channelUserRecord(context, { channel, user: viewer })]);
    const gap = Math.max(1, Math.floor(count / RARE));
    for (let index = 0; index < count; index += 1) {
      const isRare = index % gap === 0;
      const createdAt = new Date(Date.UTC(2026, 0) + index * 1_000);
      const displayName = isRare ? `Quokka ${index}` : `Person ${index}`;
      const tags = isRare ? ['rare'] : ['frequent'];
      const user = userRecord(context, { userId: `crowd-user-${index}`, displayName, createdAt });
      await writer.add('users', [user]);
      await writer.add('communityUsers', [communityUserRecord(context, { community, user, createdAt })]);
      await writer.add('channelUsers', [channelUserRecord(context, { channel, user, createdAt })]);
      const names = { userId: owner, channelId: `crowd-channel-${index}`, displayName, tags, createdAt };
      await writer.add('communities', [communityRecord(context, { ...names, communityId: `crowd-${index}` })]);
      await writer.add('channels', [channelRecord(context, { ...names, type: 'standard' })]);
      const text = `${displayName} in the crowd`;
      const post = { postId: `crowd-post-${index}`, postedUserId: owner, tags, createdAt, data: { text } };
      await writer.add('posts', [postRecord(context, { ...post, ...target })]);
      const comment = commentRecord(context, { commentId: `crowd-comment-${index}`, userId: owner, on, createdAt });
      await writer.add('comments', [{ ...comment, segmentNumber: index + 1 }]);
      const message = messageRecord(context, { feed, name: `crowd-${index}`, userId: owner, tags, createdAt });
      await writer.add('messages', [{ ...message, segment: index + 1 }]);
    }
    await writer.flush();
  } finally {
    await store.close();
  }
}

/** Makes the viewers administrators, who may read every list. They have signed in before, because administrators need an auth token. */
export async function grantRoles(uri: string): Promise<void> {
  const store = await openStore({ uri });
  try {
    const { users, sessions } = store.collections;
    await insertMissingRoles(store.collections, defaultRoleRecords(benchContext()));
    const networkId = NETWORK_ID;
    const userId = { $in: Array.from({ length: VIEWERS }, (_, index) => viewerId(index)) };
    const $set = { roles: ['global-admin'], permissions: [...PERMISSIONS] };
    await users.updateMany({ networkId, userId }, { $set });
    await sessions.updateMany({ networkId, userId }, { $set });
  } finally {
    await store.close();
  }
}
