import { channelRecord, channelUserRecord, messageFeedRecord } from '../src/sample/builders/chat.ts';
import { categoryRecord, communityRecord, communityUserRecord } from '../src/sample/builders/community.ts';
import { commentRecord, mentionOf, postRecord, reactionRecord } from '../src/sample/builders/content.ts';
import { fileRecord } from '../src/sample/builders/media.ts';
import { userRecord } from '../src/sample/builders/user.ts';
import { createSampleContext, type SampleContext, type SampleNetwork } from '../src/sample/context.ts';
import { deriveComments, deriveFeeds } from '../src/sample/derive/content.ts';
import { deriveMembers } from '../src/sample/derive/members.ts';
import { deriveReactions } from '../src/sample/derive/reactions.ts';
import { createRandom, type Random } from '../src/sample/scale/random.ts';
import { sentence } from '../src/sample/scale/words.ts';
import { createWriter } from '../src/sample/scale/writer.ts';
import type { Collections } from '../src/store/collections.ts';
import type { CommunityRecord } from '../src/store/records/community.ts';

export const NETWORK_ID = 'bench';
export const COMMUNITIES = 10;
export const POSTS_EACH = 24;
const USERS = 300;
/** At least the number of connections, so that each connection has its own user. */
export const VIEWERS = 32;
const COMMENTS_EACH = 10;
const REACTIONS_EACH = 8;

export const viewerId = (index: number): string => `bench-user-${index % VIEWERS}`;
export const communityId = (index: number): string => `bench-community-${index % COMMUNITIES}`;
/** The first feed receives messages; the second has so many that `markRead` never reaches its end. */
export const feedId = (index: number, feed: 'talk' | 'read'): string =>
  feed === 'talk'
    ? benchContext().hex('channel', channelId(index))
    : benchContext().hex('messageFeed', `${channelId(index)}/${feed}`);
const channelId = (index: number): string => `bench-channel-${index % COMMUNITIES}`;
/** The newest message to read. */
const LAST_SEGMENT = 1_000_000_000;

export const postId = (index: number): string =>
  `bench-post-${Math.floor(index / POSTS_EACH) % COMMUNITIES}-${index % POSTS_EACH}`;

/**
 * The records of the measured requests: communities whose posts each have 10 comments by 10 users and some reactions,
 * and users with pictures. The viewers are members of all communities.
 *
 * @returns number of records written
 */
export async function writeBenchRecords(collections: Collections): Promise<number> {
  const context = benchContext();
  let written = 0;
  const writer = createWriter({ collections, onProgress: (count) => (written = count) });
  const users = Array.from({ length: USERS }, (_, index) => user(context, index));
  for (const { record, avatar } of users) {
    await writer.add('users', [record]);
    await writer.add('files', [avatar]);
  }
  await writer.add(
    'categories',
    [0, 1].map((index) =>
      categoryRecord(context, { categoryId: `bench-category-${index}`, name: `Category ${index}` }),
    ),
  );
  for (let index = 0; index < COMMUNITIES; index++) {
    const network = communityInFull(context, { index, users: users.map(({ record }) => record) });
    for (const [name, records] of Object.entries(network))
      await writer.add(name as keyof typeof network, records as never);
  }
  await writer.flush();
  return written;
}

export function benchContext(): SampleContext {
  return createSampleContext({ networkId: NETWORK_ID, now: new Date(0) });
}

function user(context: SampleContext, index: number) {
  const userId = `bench-user-${index}`;
  const fileId = `avatar-${userId}`;
  const metadata = { exif: {}, gps: {}, height: 256, width: 256, isFull: true };
  return {
    record: userRecord(context, {
      userId,
      displayName: `User ${index}`,
      description: 'One of many.',
      avatarFileId: fileId,
      metadata: { city: 'Leeds' },
    }),
    avatar: fileRecord(context, {
      fileId,
      userId,
      type: 'image',
      attributes: { name: `${fileId}.png`, extension: 'png', size: 4_096, mimeType: 'image/png', metadata },
    }),
  };
}

type Part = Pick<
  SampleNetwork,
  'communities' | 'communityUsers' | 'channels' | 'channelUsers' | 'messageFeeds' | 'posts' | 'comments' | 'reactions'
>;

function communityInFull(
  context: SampleContext,
  { index, users }: { index: number; users: SampleNetwork['users'] },
): Part {
  const random = createRandom(`bench/${index}`);
  const community = communityRecord(context, {
    communityId: communityId(index),
    channelId: channelId(index),
    displayName: `Community ${index}`,
    description: sentence(random),
    userId: users[index]!.userId,
    avatarFileId: users[index]!.avatarFileId,
    categoryIds: ['bench-category-0', 'bench-category-1'],
  });
  const channel = channelRecord(context, {
    channelId: community.channelId,
    displayName: community.displayName,
    type: 'community',
    communityId: community.communityId,
  });
  const feed = { channel, userId: users[index]!.userId };
  const network: Part = {
    communities: [community],
    channels: [channel],
    channelUsers: users.map((member) => channelUserRecord(context, { channel, user: member })),
    messageFeeds: [
      messageFeedRecord(context, { ...feed, key: 'talk', isDefault: true }),
      messageFeedRecord(context, { ...feed, key: 'read', lastSegment: LAST_SEGMENT }),
    ],
    communityUsers: users.map((member) => communityUserRecord(context, { community, user: member })),
    posts: [],
    comments: [],
    reactions: [],
  };
  for (let number = 0; number < POSTS_EACH; number++) addPost(context, { network, community, number, users, random });
  deriveReactions(network);
  deriveComments(network);
  deriveFeeds(network);
  deriveMembers(network);
  return network;
}

interface Place {
  network: Part;
  community: CommunityRecord;
  number: number;
  users: SampleNetwork['users'];
  random: Random;
}

function addPost(context: SampleContext, { network, community, number, users, random }: Place): void {
  const index = Number(community.communityId.split('-').at(-1));
  const from = random.below(USERS);
  /** Adjacent entries of the list are different users. */
  const somebody = (offset: number) => users[(from + offset) % USERS]!.userId;
  const post = postRecord(context, {
    postId: `bench-post-${index}-${number}`,
    postedUserId: somebody(COMMENTS_EACH),
    targetType: 'community',
    targetId: community.communityId,
    data: { title: sentence(random), text: sentence(random, 60) },
    tags: ['news'],
    mentionees: [mentionOf(context, somebody(0))],
    createdAt: context.at(1_000 + number * 60),
  });
  network.posts.push(post);
  for (let comment = 0; comment < COMMENTS_EACH; comment++) {
    const commentId = `${post.postId}-comment-${comment}`;
    const createdAt = new Date(post.createdAt.getTime() + (comment + 1) * 60_000);
    network.comments.push(
      commentRecord(context, { on: post, commentId, userId: somebody(comment), text: sentence(random, 15), createdAt }),
    );
    if (comment % 3 === 0)
      network.reactions.push(
        reactionRecord(context, {
          referenceType: 'comment',
          referenceId: commentId,
          reactionName: 'like',
          userId: viewerId(from + comment),
        }),
      );
  }
  for (let reaction = 0; reaction < REACTIONS_EACH; reaction++) {
    network.reactions.push(
      reactionRecord(context, {
        referenceType: 'post',
        referenceId: post.postId,
        reactionName: reaction % 2 ? 'love' : 'like',
        userId: viewerId(from + reaction * 3),
      }),
    );
  }
}
