import { channelUserRecord, messageRecord } from '../../src/sample/builders/chat.ts';
import { communityRecord, communityUserRecord } from '../../src/sample/builders/community.ts';
import { commentRecord, postRecord } from '../../src/sample/builders/content.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import { MUTED_FOREVER } from '../../src/store/records/chat.ts';
import { type Crowd, type NamedRecord, OWNER } from './crowd.ts';

/** Every fourth member of the channel is muted. */
const MUTED = 4;

/** One record of each of the main kinds. */
export function mainRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, community, channel, feed, target, post } = crowd;
  const createdAt = crowd.timeOf(index);
  const displayName = crowd.nameOf(index);
  const tags = crowd.tagsOf(index);
  const flags = crowd.flagsOf(index);
  const text = `${displayName} in the crowd`;
  const user = userRecord(context, { userId: `crowd-user-${index}`, displayName, createdAt, ...flags });
  const mute = { reason: null, mutedBy: OWNER, mutedAt: createdAt };
  const muted = index % MUTED === 0 && { isMuted: true, mute, mutedUntil: MUTED_FOREVER };
  const comment = { commentId: `crowd-comment-${index}`, userId: OWNER, on: post, createdAt, text, ...flags };
  return [
    ['users', user],
    ['communityUsers', communityUserRecord(context, { community, user, createdAt })],
    ['channelUsers', channelUserRecord(context, { channel, user, createdAt, ...muted })],
    [
      'communities',
      communityRecord(context, {
        ...{ ...crowd.placeOf(index), userId: OWNER, displayName, tags, createdAt },
        categoryIds: ['crowd-category-0'],
      }),
    ],
    ['channels', crowd.channelOf(index)],
    [
      'posts',
      postRecord(context, {
        ...{ ...target, ...flags, postId: crowd.postOf(index), postedUserId: OWNER, tags, createdAt, data: { text } },
      }),
    ],
    ['comments', { ...commentRecord(context, comment), segmentNumber: index + 2 }],
    [
      'messages',
      messageRecord(context, {
        ...{ feed, name: `crowd-${index}`, userId: OWNER, tags, createdAt, text, segment: index + 2, ...flags },
      }),
    ],
  ];
}
