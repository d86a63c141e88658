import { type ClientSession, ObjectId } from 'mongodb';
import { isChannelMember } from '../../src/access/channel.ts';
import { isMember } from '../../src/access/community.ts';
import type { Viewer } from '../../src/context.ts';
import { OperationError } from '../../src/errors.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { Store } from '../../src/store/store.ts';

/**
 * The measured writes, hand-written for these four only: the reads that decide, then
 * one driver transaction with the change, its counters and its event.
 */
export interface Inputs {
  createPost: { targetId: string; data: { text: string } };
  addReaction: { referenceId: string; reactionName: string };
  sendMessage: { messageFeedId: string; data: { text: string } };
  markRead: { messageFeedId: string; readToSegment: number };
}

export type WriteName = keyof Inputs;
type Writes = { [Name in WriteName]: (store: Store, viewer: Viewer, input: Inputs[Name]) => Promise<object> };

export const WRITES: Writes = {
  async createPost(store, { networkId, userId, userInternalId }, { targetId, data }) {
    const { communities, communityUsers, posts } = store.collections;
    const [community, membership] = await Promise.all([
      communities.findOne({ networkId, communityId: targetId, isDeleted: false }),
      communityUsers.findOne({ networkId, communityId: targetId, userId }),
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

  async addReaction(store, { networkId, userId, userInternalId }, { referenceId, reactionName }) {
    const { communities, communityUsers, posts, reactions } = store.collections;
    const post = await posts.findOne({ networkId, postId: referenceId, isDeleted: false });
    if (!post) throw new OperationError('NOT_FOUND');
    const [community, membership] = await Promise.all([
      communities.findOne({ networkId, communityId: post.targetId }),
      communityUsers.findOne({ networkId, communityId: post.targetId, userId }),
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

  async sendMessage(store, { networkId, userId, userInternalId }, { messageFeedId, data }) {
    const { channelUsers, channels, messageFeeds, messages, userFeedMarkers } = store.collections;
    const feed = await messageFeeds.findOne({ networkId, messageFeedId, isDeleted: false });
    if (!feed) throw new OperationError('NOT_FOUND');
    const { channelId, channelInternalId, channelType } = feed;
    const [channel, membership] = await Promise.all([
      channels.findOne({ networkId, channelId, isDeleted: false }),
      channelUsers.findOne({ networkId, channelId, userId }),
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

  async markRead(store, { networkId, userId, userInternalId }, { messageFeedId, readToSegment }) {
    const { channelUsers, channels, messageFeeds, messages, userFeedMarkers } = store.collections;
    const feed = await messageFeeds.findOne({ networkId, messageFeedId, isDeleted: false });
    if (!feed) throw new OperationError('NOT_FOUND');
    const { channelId, channelInternalId, lastSegment } = feed;
    const [channel, membership] = await Promise.all([
      channels.findOne({ networkId, channelId, isDeleted: false }),
      channelUsers.findOne({ networkId, channelId, userId }),
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

async function inTransaction<Result>(store: Store, work: (session: ClientSession) => Promise<Result>): Promise<Result> {
  return store.client.withSession((session) => session.withTransaction(() => work(session)));
}

type EventInput = Pick<EventRecord, 'networkId' | 'type' | 'path' | 'data'> & { userId: string };

/** Appends the event for subscribers and webhooks. */
async function appendEvents(store: Store, session: ClientSession, ...all: EventInput[]): Promise<void> {
  const now = new Date();
  const events = all.map(({ userId, ...event }): EventRecord => {
    const _id = new ObjectId();
    return {
      ...event,
      _id,
      eventId: _id.toHexString(),
      actorId: userId,
      senderId: 'hand-written',
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + 7 * 86_400_000),
    };
  });
  await store.collections.events.insertMany(events, { session });
}

const EMPTY_POST = {
  parentPostId: null,
  sharedUserId: null,
  targetType: 'community' as const,
  feedType: 'published' as const,
  dataType: 'text',
  structureType: 'text' as const,
  metadata: {},
  sharedCount: 0,
  commentsCount: 0,
  childrenNumber: 0,
  impression: 0,
  reach: 0,
  comments: [],
  children: [],
  tags: [],
  hashtags: [],
  mentionees: [],
  isDeleted: false,
  hasFlaggedComment: false,
  hasFlaggedChildren: false,
  editedAt: null,
  flagCount: 0,
  hashFlag: null,
  reactionsCount: 0,
  reactions: {},
};

const EMPTY_MESSAGE = {
  dataType: 'text',
  fileId: null,
  thumbnailFileId: null,
  parentId: null,
  metadata: {},
  tags: [],
  mentionedUsers: [],
  reactionCount: 0,
  reactions: {},
  latestReaction: null,
  flagCount: 0,
  hashFlag: null,
  childCount: 0,
  referenceId: null,
  isDeleted: false,
  editedAt: null,
};
