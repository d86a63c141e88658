import { ObjectId } from 'mongodb';
import { isChannelMember } from '../../src/access/channel.ts';
import { isMember } from '../../src/access/community.ts';
import type { Services, TokenClaims } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import { only } from './projection.ts';
import { readViewer } from './sign-in.ts';
import { appendEvents, EMPTY_MESSAGE, EMPTY_POST, inTransaction } from './write-parts.ts';

/**
 * The measured writes, hand-written for these four only: the reads that decide, which leave
 * together where one does not depend on another, then one driver transaction with the change, its counters and its event.
 */
export interface Inputs {
  createPost: { targetId: string; data: { text: string } };
  addReaction: { referenceId: string; reactionName: string };
  sendMessage: { messageFeedId: string; data: { text: string } };
  markRead: { messageFeedId: string; readToSegment: number };
}

export type WriteName = keyof Inputs;
type Writes = {
  [Name in WriteName]: (services: Services, claims: TokenClaims, input: Inputs[Name]) => Promise<object>;
};

const COMMUNITY = only('path', 'feeds', 'isPublic');
const MEMBER = only('communityMembership');
const REACTED = only('targetId', 'path');
const FEED = only('channelId', 'channelInternalId', 'channelType', 'lastSegment', 'path');
const CHANNEL = only('isMuted');
const CHANNEL_MEMBER = only('membership');

export const WRITES: Writes = {
  async createPost(services, claims, { targetId, data }) {
    const { store } = services;
    const { networkId, userId } = claims;
    const { communities, communityUsers, posts } = store.collections;
    const [{ userInternalId }, community, membership] = await Promise.all([
      readViewer(services, claims),
      communities.findOne({ networkId, communityId: targetId, isDeleted: false }, COMMUNITY),
      communityUsers.findOne({ networkId, communityId: targetId, userId }, MEMBER),
    ]);
    if (!community || !isMember(membership)) throw new OperationError('FORBIDDEN');
    const _id = new ObjectId();
    const postId = _id.toHexString();
    const now = new Date();
    const post: PostRecord = {
      ...EMPTY_POST,
      _id,
      networkId,
      postId,
      path: `${community.path}/post/${postId}`,
      postedUserId: userId,
      postedUserInternalId: userInternalId,
      targetId,
      targetInternalId: community._id.toHexString(),
      feedId: community.feeds.find(({ feedType }) => feedType === 'published')!.feedId,
      data,
      createdAt: now,
      updatedAt: now,
    };
    await inTransaction(store, async (session) => {
      await communities.updateOne(
        { networkId, communityId: targetId, isDeleted: false },
        {
          $inc: { postsCount: 1, 'feeds.$[feed].postCount': 1 },
          $set: { 'feeds.$[feed].updatedAt': now },
        },
        { session, arrayFilters: [{ 'feed.feedType': 'published' }] },
      );
      await posts.insertOne(post, { session });
      await appendEvents(store, session, {
        networkId,
        userId,
        type: 'post.created',
        path: post.path,
        data: { postId },
      });
    });
    return { post: { postId } };
  },

  async addReaction(services, claims, { referenceId, reactionName }) {
    const { store } = services;
    const { networkId, userId } = claims;
    const { communities, communityUsers, posts, reactions } = store.collections;
    const [{ userInternalId }, post] = await Promise.all([
      readViewer(services, claims),
      posts.findOne({ networkId, postId: referenceId, isDeleted: false }, REACTED),
    ]);
    if (!post) throw new OperationError('NOT_FOUND');
    const [community, membership] = await Promise.all([
      communities.findOne({ networkId, communityId: post.targetId }, COMMUNITY),
      communityUsers.findOne({ networkId, communityId: post.targetId, userId }, MEMBER),
    ]);
    if (!community || (!community.isPublic && !isMember(membership))) throw new OperationError('NOT_FOUND');
    const _id = new ObjectId();
    const now = new Date();
    const reactionId = _id.toHexString();
    const own = { networkId, referenceType: 'post' as const, referenceId, userId, reactionName };
    await inTransaction(store, async (session) => {
      const made = { _id, reactionId, userInternalId, createdAt: now, updatedAt: now };
      const { upsertedCount } = await reactions.updateOne(own, { $setOnInsert: made }, { session, upsert: true });
      if (upsertedCount === 0) return;
      const counted = { $inc: { reactionsCount: 1, [`reactions.${reactionName}`]: 1 } };
      await posts.updateOne({ networkId, postId: referenceId }, counted, { session });
      const data = {
        postId: referenceId,
        reaction: { reactionId, reactionName, userId, userInternalId, createdAt: now },
      };
      await appendEvents(store, session, { networkId, userId, type: 'post.addReaction', path: post.path, data });
    });
    return { reaction: { reactionId } };
  },

  async sendMessage(services, claims, { messageFeedId, data }) {
    const { store } = services;
    const { networkId, userId } = claims;
    const { channelUsers, channels, messageFeeds, messages, userFeedMarkers } = store.collections;
    const [{ userInternalId }, feed] = await Promise.all([
      readViewer(services, claims),
      messageFeeds.findOne({ networkId, messageFeedId, isDeleted: false }, FEED),
    ]);
    if (!feed) throw new OperationError('NOT_FOUND');
    const { channelId, channelInternalId, channelType } = feed;
    const [channel, membership] = await Promise.all([
      channels.findOne({ networkId, channelId, isDeleted: false }, CHANNEL),
      channelUsers.findOne({ networkId, channelId, userId }, CHANNEL_MEMBER),
    ]);
    if (!channel || channel.isMuted || !isChannelMember(membership)) throw new OperationError('FORBIDDEN');
    const _id = new ObjectId();
    const messageId = _id.toHexString();
    const now = new Date();
    await inTransaction(store, async (session) => {
      const counted = await messageFeeds.findOneAndUpdate(
        { networkId, messageFeedId },
        {
          $inc: { lastSegment: 1, childCount: 1 },
          $set: { lastMessageId: messageId, messagePreviewId: messageId, lastMessageTimestamp: now, updatedAt: now },
        },
        { session, returnDocument: 'after' },
      );
      const segment = counted!.lastSegment;
      await messages.insertOne(
        {
          ...EMPTY_MESSAGE,
          _id,
          networkId,
          messageId,
          channelId,
          channelInternalId,
          channelType,
          messageFeedId,
          userId,
          userInternalId,
          path: `${feed.path}/${messageId}`,
          segment,
          data,
          createdAt: now,
          updatedAt: now,
        },
        { session },
      );
      await channels.updateOne(
        { networkId, channelId },
        { $inc: { messageCount: 1 }, $set: { messagePreviewId: messageId, lastActivity: now } },
        { session },
      );
      const read = { readToSegment: segment, deliveredToSegment: segment };
      await channelUsers.updateOne(
        { networkId, channelId, userId },
        { $max: { readToSegment: segment }, $set: { lastActivity: now } },
        { session },
      );
      await userFeedMarkers.updateOne(
        { networkId, userId, feedId: messageFeedId },
        { $max: read, $set: { updatedAt: now }, $setOnInsert: { entityId: channelInternalId, createdAt: now } },
        { session, upsert: true },
      );
      const actor = { networkId, userId };
      const marker = `${networkId}/marker/user/${userInternalId}`;
      const moved = { userId, feedIds: [messageFeedId] };
      await appendEvents(
        store,
        session,
        { ...actor, type: 'message.created', path: `${feed.path}/${messageId}`, data: { messageId } },
        { ...actor, type: 'marker.userFeed-updated', path: marker, data: moved },
        {
          ...actor,
          type: 'marker.feed-updated',
          path: `${networkId}/marker/channel/${channelInternalId}/message/${messageFeedId}`,
          data: { messageFeedId, segment },
        },
      );
    });
    return { chatMessage: { messageId } };
  },

  async markRead(services, claims, { messageFeedId, readToSegment }) {
    const { store } = services;
    const { networkId, userId } = claims;
    const { channelUsers, channels, messageFeeds, messages, userFeedMarkers } = store.collections;
    const [{ userInternalId }, feed] = await Promise.all([
      readViewer(services, claims),
      messageFeeds.findOne({ networkId, messageFeedId, isDeleted: false }, FEED),
    ]);
    if (!feed) throw new OperationError('NOT_FOUND');
    const { channelId, channelInternalId, lastSegment } = feed;
    const [channel, membership] = await Promise.all([
      channels.findOne({ networkId, channelId, isDeleted: false }, CHANNEL),
      channelUsers.findOne({ networkId, channelId, userId }, CHANNEL_MEMBER),
    ]);
    if (!channel || !isChannelMember(membership)) throw new OperationError('FORBIDDEN');
    const readTo = Math.min(readToSegment, lastSegment);
    const now = new Date();
    const moved = await inTransaction(store, async (session) => {
      const marker = await userFeedMarkers.findOneAndUpdate(
        { networkId, userId, feedId: messageFeedId },
        {
          $max: { readToSegment: readTo, deliveredToSegment: readTo },
          $set: { updatedAt: now },
          $setOnInsert: { entityId: channelInternalId, createdAt: now },
        },
        { session, upsert: true, returnDocument: 'after' },
      );
      await channelUsers.updateOne({ networkId, channelId, userId }, { $max: { readToSegment: readTo } }, { session });
      const path = `${networkId}/marker/user/${userInternalId}`;
      const data = { userId, feedIds: [messageFeedId] };
      await appendEvents(
        store,
        session,
        { networkId, userId, type: 'marker.userFeed-updated', path, data },
        { networkId, userId, type: 'marker.user-sync', path, data },
        {
          networkId,
          userId,
          type: 'marker.marked-message',
          path: `${networkId}/marker/channel/${channelInternalId}/message/${messageFeedId}`,
          data: { messageFeedId, segment: readTo },
        },
      );
      return marker!.readToSegment;
    });
    const after = { networkId, messageFeedId, isDeleted: true, segment: { $gt: moved } };
    const deleted = await messages.countDocuments(after);
    return { userFeedMarkers: [{ readToSegment: moved, unreadCount: lastSegment - moved - deleted }] };
  },
};
