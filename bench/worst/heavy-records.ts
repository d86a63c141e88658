import { messageRecord } from '../../src/sample/builders/chat.ts';
import { commentRecord, postRecord } from '../../src/sample/builders/content.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { createSampleContext } from '../../src/sample/context.ts';
import type { Collections } from '../../src/store/collections.ts';
import { communityId, feedId, NETWORK_ID, viewerId } from '../data.ts';

/** Records of each kind. */
export const HEAVY = 100;
const METADATA_CHARACTERS = 60_000;
/** As many as one body may hold. */
const METADATA_MEMBERS = 4_900;
const TEXT_CHARACTERS = 20_000;

export const heavyUserId = (index: number): string => `heavy-user-${index}`;
/** Half of them with one long value as metadata, half with thousands of short ones. */
export const heavyPostId = (index: number): string => `heavy-post-${index}`;
export const widePostId = (index: number): string => `wide-post-${index}`;
export const heavyCommentId = (index: number): string => `heavy-comment-${index}`;
export const heavyMessageId = (index: number): string =>
  createSampleContext({ networkId: NETWORK_ID, now: new Date(0) }).hex('message', `heavy-${index}`);
/** A user with all heavy posts in their feed. */
export const HEAVY_FEED_OWNER = viewerId(1);

/** Records as long as the interface lets them be, those of one page by different users who are as long themselves. */
export async function writeHeavyRecords({
  users,
  posts,
  comments,
  messages,
  messageFeeds,
}: Collections): Promise<void> {
  const context = createSampleContext({ networkId: NETWORK_ID, now: new Date(0) });
  const long = { text: 'x'.repeat(METADATA_CHARACTERS) };
  const wide = Object.fromEntries(Array.from({ length: METADATA_MEMBERS }, (_, index) => [`k${index}`, index]));
  const text = '"'.repeat(TEXT_CHARACTERS);
  const indexes = Array.from({ length: HEAVY }, (_, index) => index);
  const at = (index: number) => context.at(1_000 + index * 60);

  await users.insertMany(
    indexes.map((index) =>
      userRecord(context, { userId: heavyUserId(index), displayName: `Heavy ${index}`, metadata: wide }),
    ),
  );
  const targets = [
    { idOf: heavyPostId, targetType: 'community', targetId: communityId(0) },
    { idOf: widePostId, targetType: 'user', targetId: HEAVY_FEED_OWNER },
  ] as const;
  for (const { idOf, targetType, targetId } of targets) {
    const isWide = idOf === widePostId;
    await posts.insertMany(
      indexes.map((index) =>
        postRecord(context, {
          postId: idOf(index),
          postedUserId: isWide ? heavyUserId(index) : viewerId(0),
          targetType,
          targetId,
          data: { text },
          metadata: isWide || index % 2 ? wide : long,
          createdAt: at(index),
        }),
      ),
    );
  }
  const on = postRecord(context, {
    postId: heavyPostId(0),
    postedUserId: viewerId(0),
    targetType: 'community',
    targetId: communityId(0),
    data: { text },
  });
  await comments.insertMany(
    indexes.map((index) => ({
      ...commentRecord(context, {
        on,
        commentId: heavyCommentId(index),
        userId: heavyUserId(index),
        text,
        createdAt: at(index),
      }),
      segmentNumber: index + 1,
      metadata: wide,
    })),
  );
  const feed = await messageFeeds.findOne({ networkId: NETWORK_ID, messageFeedId: feedId(0, 'talk') });
  if (!feed) throw new Error('The benchmark has no message feed to fill.');
  await messages.insertMany(
    indexes.map((index) => ({
      ...messageRecord(context, { feed, name: `heavy-${index}`, userId: heavyUserId(index) }),
      dataType: 'custom',
      data: wide,
      metadata: wide,
      segment: index + 1,
      createdAt: at(index),
    })),
  );
}
