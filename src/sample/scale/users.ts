import type { FileRecord } from '../../store/records/media.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { userMarkerRecord } from '../builders/chat.ts';
import { fileRecord } from '../builders/media.ts';
import { userRecord } from '../builders/user.ts';
import { sampleFiles } from '../pictures.ts';
import { groupOf, type Plan, person } from './plan.ts';
import { generateThread } from './posts.ts';
import type { Writer } from './writer.ts';

/** Number of users who comment and react on a user's own feed. */
const FRIENDS = 40;

/** Writes all users with their avatars, the posts on their feeds and their channel markers. */
export async function writeUsers(plan: Plan, writer: Writer): Promise<void> {
  let post = plan.communityPosts.reduce((total, count) => total + count, 0);
  const pictures = sampleFiles().filter((file) => file.fileId.startsWith('avatar-'));
  for (let index = 0; index < plan.users; index++) {
    const user = generateUser(plan, index);
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
    if (plan.chatting[index]) {
      await writer.add('userMarkers', [userMarkerRecord(plan.context, { userId: user.userId })]);
    }
  }
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
