import type { FileRecord } from '../../store/records/media.ts';
import type { FollowRecord, UserRecord } from '../../store/records/user.ts';
import { baseRecord } from '../builders/base.ts';
import { userMarkerRecord } from '../builders/chat.ts';
import { fileRecord } from '../builders/media.ts';
import { userRecord } from '../builders/user.ts';
import { sampleFiles } from '../pictures.ts';
import { groupOf, type Plan, person, userIdOf } from './plan.ts';
import { generateThread } from './posts.ts';
import { createRandom } from './random.ts';
import type { Writer } from './writer.ts';

/** Number of users who comment and react on a user's own feed. */
const FRIENDS = 40;
/** Users whom a user follows at most; a few users are followed by many. */
const FOLLOWED = 18;

/** Writes all users with their avatars, their follows, the posts on their feeds and their channel markers. */
export async function writeUsers(plan: Plan, writer: Writer): Promise<void> {
  let post = plan.communityPosts.reduce((total, count) => total + count, 0);
  const followers = countFollowers(plan);
  const pictures = sampleFiles().filter((file) => file.fileId.startsWith('avatar-'));
  for (let index = 0; index < plan.users; index++) {
    const follows = generateFollows(plan, index);
    const counts = { followerCount: followers[index]!, followingCount: follows.length, pendingCount: 0 };
    const user = { ...generateUser(plan, index), ...counts };
    const people = groupOf(plan, { name: `user/${index}`, count: FRIENDS });
    for (let number = 0; number < plan.userPosts[index]!; number++) {
      const thread = generateThread({ plan, index: post++, target: { user }, people });
      await writer.add('posts', thread.posts);
      await writer.add('comments', thread.comments);
      await writer.add('reactions', thread.reactions);
      await writer.add('flags', thread.flags);
    }
    await writer.add('files', [avatarOf(plan, user, pictures[index % pictures.length]!)]);
    await writer.add('users', [user]);
    await writer.add('follows', follows);
    if (plan.chatting[index]) {
      await writer.add('userMarkers', [userMarkerRecord(plan.context, { userId: user.userId })]);
    }
  }
}

/** Indexes of the users whom a user follows; the same each time. */
function followedBy(plan: Plan, index: number): number[] {
  const random = createRandom(`follows/${index}`);
  const drawn = new Set(Array.from({ length: FOLLOWED }, () => random.skewedBelow(plan.users)));
  drawn.delete(index);
  return [...drawn];
}

function countFollowers(plan: Plan): Int32Array {
  const followers = new Int32Array(plan.users);
  for (let index = 0; index < plan.users; index++) {
    for (const followed of followedBy(plan, index)) followers[followed]! += 1;
  }
  return followers;
}

function generateFollows(plan: Plan, index: number): FollowRecord[] {
  const userId = userIdOf(index);
  return followedBy(plan, index).map((followed, number) => {
    const followedUserId = userIdOf(followed);
    const identity = { kind: 'follow', name: `${userId} ${followedUserId}` };
    const createdAt = plan.context.at((index * FOLLOWED + number) / 1_000);
    return { ...baseRecord(plan.context, identity, { createdAt }), userId, followedUserId, status: 'accepted' };
  });
}

function generateUser(plan: Plan, index: number): UserRecord {
  const { userId, displayName } = person(index);
  return userRecord(plan.context, {
    userId,
    displayName,
    description: `Number ${index + 1} of many.`,
    avatarFileId: `avatar-${userId}`,
    createdAt: plan.context.at(index / 1_000),
  });
}

/** The record of an avatar, with the properties of a picture of the sample network; its bytes are not stored. */
function avatarOf(plan: Plan, user: UserRecord, picture: ReturnType<typeof sampleFiles>[number]): FileRecord {
  const { width, height, extension, mimeType, type, content } = picture;
  const fileId = `avatar-${user.userId}`;
  return fileRecord(plan.context, {
    fileId,
    userId: user.userId,
    type,
    attributes: {
      name: `${fileId}.${extension}`,
      extension,
      mimeType,
      size: content.length,
      metadata: { exif: {}, gps: {}, height, width, isFull: true },
    },
    createdAt: user.createdAt,
  });
}
