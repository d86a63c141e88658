import type { Collection } from 'mongodb';
import { messageRecord } from '../../src/sample/builders/chat.ts';
import { commentRecord, postRecord } from '../../src/sample/builders/content.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import type { Fixtures } from './fixtures.ts';

/** Content by `author`, inserted into the store without mutations. */
const createContext = () => createSampleContext({ networkId: 'default', now: new Date() });

export async function createPost(
  fixtures: Fixtures,
  communityId: string,
  given: Partial<PostRecord> = {},
): Promise<PostRecord> {
  const post = postRecord(createContext(), {
    postId: fixtures.uniqueId('post'),
    postedUserId: 'author',
    targetType: 'community',
    targetId: communityId,
    data: { text: 'Hello' },
    ...given,
  });
  await fixtures.gateway.services.store.collections.posts.insertOne(post);
  return post;
}

export async function createComment(fixtures: Fixtures, post: PostRecord) {
  const comment = commentRecord(createContext(), {
    commentId: fixtures.uniqueId('comment'),
    userId: 'author',
    on: post,
    text: 'Hello',
    segmentNumber: 1,
  });
  await fixtures.gateway.services.store.collections.comments.insertOne(comment);
  return comment;
}

export async function createMessage(fixtures: Fixtures, channelId: string) {
  const { messageFeeds, messages } = fixtures.gateway.services.store.collections;
  const feed = await messageFeeds.findOneAndUpdate(
    { networkId: 'default', channelId },
    { $inc: { lastSegment: 1, childCount: 1 } },
    { returnDocument: 'after' },
  );
  const message = messageRecord(createContext(), {
    feed: feed!,
    name: fixtures.uniqueId('message'),
    userId: 'author',
    text: 'Hello',
    segment: feed!.lastSegment,
  });
  await messages.insertOne(message);
  return message;
}

/** Marks a record as flagged, for mutations that remove flags. */
export async function markFlagged(
  fixtures: Fixtures,
  name: 'posts' | 'comments' | 'stories' | 'messages' | 'users',
  filter: object,
): Promise<void> {
  const collection = fixtures.gateway.services.store.collections[name] as unknown as Collection;
  await collection.updateOne({ networkId: 'default', ...filter }, { $set: { flagCount: 1 } });
}
