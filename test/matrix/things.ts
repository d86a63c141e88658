import { messageRecord } from '../../src/sample/builders/chat.ts';
import { childPostRecord, commentRecord, postRecord } from '../../src/sample/builders/content.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { PostRecord } from '../../src/store/records/content.ts';
import type { World } from './world.ts';

/** Things of `author`, put straight into the store: what a scene is about, where no mutation is in question. */
const contextOf = () => createSampleContext({ networkId: 'default', now: new Date() });

export async function postIn(world: World, communityId: string, given: Partial<PostRecord> = {}): Promise<PostRecord> {
  const post = postRecord(contextOf(), {
    postId: world.fresh('post'),
    postedUserId: 'author',
    targetType: 'community',
    targetId: communityId,
    data: { text: 'Hello' },
    ...given,
  });
  await world.gateway.services.store.collections.posts.insertOne(post);
  return post;
}

export async function childOf(world: World, parent: PostRecord): Promise<PostRecord> {
  const child = childPostRecord(contextOf(), parent, {
    postId: world.fresh('child'),
    dataType: 'text',
    data: { text: 'Hello' },
  });
  await world.gateway.services.store.collections.posts.insertOne(child);
  return child;
}

export async function commentOn(world: World, post: PostRecord) {
  const comment = commentRecord(contextOf(), {
    commentId: world.fresh('comment'),
    userId: 'author',
    on: post,
    text: 'Hello',
    segmentNumber: 1,
  });
  await world.gateway.services.store.collections.comments.insertOne(comment);
  return comment;
}

export async function messageIn(world: World, channelId: string) {
  const { messageFeeds, messages } = world.gateway.services.store.collections;
  const feed = await messageFeeds.findOneAndUpdate(
    { networkId: 'default', channelId },
    { $inc: { lastSegment: 1, childCount: 1 } },
    { returnDocument: 'after' },
  );
  const message = messageRecord(contextOf(), {
    feed: feed!,
    name: world.fresh('message'),
    userId: 'author',
    text: 'Hello',
    segment: feed!.lastSegment,
  });
  await messages.insertOne(message);
  return message;
}
