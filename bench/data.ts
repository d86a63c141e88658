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
import { createWriter, type Writer } from '../src/sample/scale/writer.ts';
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

/** Communities with posts, whose ids start with a common word. */
export interface RecordSet {
  name: string;
  communities: number;
  postsEach: number;
}

/** Few communities, of which all 300 users are members. */
export const FEW: RecordSet = { name: 'bench', communities: COMMUNITIES, postsEach: POSTS_EACH };
/** As many as a network has whose records do not fit into a cache; see {@link memberOf}. */
export const MANY: RecordSet = { name: 'many', communities: 1_000, postsEach: 20 };

/** The `place`-th of the four viewers who are members of a community of {@link MANY}; the authors of its posts are also. */
export const memberOf = (community: number, place: number): number => (community + (place % 4) * 8) % VIEWERS;

export const viewerId = (index: number): string => `bench-user-${index % VIEWERS}`;
export const communityId = (index: number, set = FEW): string => `${set.name}-community-${index % set.communities}`;
/** The first feed receives messages; the second has so many that `markRead` never reaches its end. */
export const feedId = (index: number, feed: 'talk' | 'read', set = FEW): string =>
  feed === 'talk'
    ? benchContext().hex('channel', channelId(index, set))
    : benchContext().hex('messageFeed', `${channelId(index, set)}/${feed}`);
const channelId = (index: number, set: RecordSet): string => `${set.name}-channel-${index % set.communities}`;
/** The newest message to read. */
const LAST_SEGMENT = 1_000_000_000;

export const postId = (index: number, set = FEW): string =>
  `${set.name}-post-${Math.floor(index / set.postsEach) % set.communities}-${index % set.postsEach}`;

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
  const users = createUsers(context);
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
  await writeCommunities(writer, { context, set: FEW, users: users.map(({ record }) => record) });
  await writer.flush();
  return written;
}

/** Adds {@link MANY}, or fewer, to the records of {@link writeBenchRecords}. @returns number of records written */
export async function writeManyCommunities(collections: Collections, set: RecordSet): Promise<number> {
  const context = benchContext();
  let written = 0;
  const writer = createWriter({ collections, onProgress: (count) => (written = count) });
  await writeCommunities(writer, { context, set, users: createUsers(context).map(({ record }) => record) });
  await writer.flush();
  return written;
}

interface Communities {
  context: SampleContext;
  set: RecordSet;
  users: SampleNetwork['users'];
}

async function writeCommunities(writer: Writer, { context, set, users }: Communities): Promise<void> {
  for (let index = 0; index < set.communities; index++) {
    const network = communityInFull(context, { index, set, users });
    for (const [name, records] of Object.entries(network))
      await writer.add(name as keyof typeof network, records as never);
  }
}

const createUsers = (context: SampleContext) => Array.from({ length: USERS }, (_, index) => user(context, index));

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
  { index, set, users }: { index: number } & Omit<Communities, 'context'>,
): Part {
  const random = createRandom(`${set.name}/${index}`);
  const owner = users[index % USERS]!;
  const community = communityRecord(context, {
    communityId: communityId(index, set),
    channelId: channelId(index, set),
    displayName: `Community ${index}`,
    description: sentence(random),
    userId: owner.userId,
    avatarFileId: owner.avatarFileId,
    categoryIds: ['bench-category-0', 'bench-category-1'],
  });
  const channel = channelRecord(context, {
    channelId: community.channelId,
    displayName: community.displayName,
    type: 'community',
    communityId: community.communityId,
  });
  const feed = { channel, userId: owner.userId };
  const network: Part = {
    communities: [community],
    channels: [channel],
    channelUsers: [],
    messageFeeds: [
      messageFeedRecord(context, { ...feed, key: 'talk', isDefault: true }),
      messageFeedRecord(context, { ...feed, key: 'read', lastSegment: LAST_SEGMENT }),
    ],
    communityUsers: [],
    posts: [],
    comments: [],
    reactions: [],
  };
  for (let number = 0; number < set.postsEach; number++)
    addPost(context, {
      network,
      community,
      postId: postId(index * set.postsEach + number, set),
      number,
      users,
      random,
    });
  const authors = new Set(network.posts.map((post) => post.postedUserId));
  for (let place = 0; place < 4; place++) authors.add(viewerId(memberOf(index, place)));
  const members = set === FEW ? users : users.filter(({ userId }) => authors.has(userId));
  for (const member of members) {
    network.communityUsers.push(communityUserRecord(context, { community, user: member }));
    network.channelUsers.push(channelUserRecord(context, { channel, user: member }));
  }
  deriveReactions(network);
  deriveComments(network);
  deriveFeeds(network);
  deriveMembers(network);
  return network;
}

interface Place {
  network: Part;
  community: CommunityRecord;
  postId: string;
  number: number;
  users: SampleNetwork['users'];
  random: Random;
}

function addPost(context: SampleContext, { network, community, postId, number, users, random }: Place): void {
  const from = random.below(USERS);
  /** Adjacent entries of the list are different users. */
  const somebody = (offset: number) => users[(from + offset) % USERS]!.userId;
  const post = postRecord(context, {
    postId,
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
  for (let reaction = 0; reaction < (community.communityId.startsWith(FEW.name) ? REACTIONS_EACH : 2); reaction++) {
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
