import { baseRecord } from '../../src/sample/builders/base.ts';
import {
  channelUserRecord,
  messageFeedRecord,
  messageRecord,
  userFeedMarkerRecord,
} from '../../src/sample/builders/chat.ts';
import {
  categoryRecord,
  communityUserRecord,
  joinRequestRecord,
  pinRecord,
} from '../../src/sample/builders/community.ts';
import {
  commentRecord,
  flagRecord,
  postRecord,
  reactionRecord,
  storyRecord,
} from '../../src/sample/builders/content.ts';
import { fileRecord, pollRecord, roomRecord, videoStreamRecord } from '../../src/sample/builders/media.ts';
import { userRecord } from '../../src/sample/builders/user.ts';
import type { Records } from '../../src/store/collections.ts';
import { AUTHOR, type Crowd, DAY_MS, ENDPOINT_ID, LIVE, type NamedRecord, OWNER } from './crowd.ts';

/** One record of each kind of which a network has fewer. */
export function otherRecords(crowd: Crowd, index: number): NamedRecord[] {
  return [
    ...peopleRecords(crowd, index),
    ...contentRecords(crowd, index),
    ...storyRecords(crowd, index),
    ...chatRecords(crowd, index),
    ...mediaRecords(crowd, index),
    ...administrationRecords(crowd, index),
  ];
}

const userOf = (index: number) => `crowd-user-${index}`;

export function followRecord({ context }: Crowd, follow: { userId: string; followedUserId: string; createdAt: Date }) {
  const name = `${follow.userId}/${follow.followedUserId}`;
  return { ...baseRecord(context, { kind: 'follow', name }, follow), ...follow, status: 'accepted' as const };
}

export function blockRecord({ context }: Crowd, block: { userId: string; blockedUserId: string; createdAt: Date }) {
  const name = `${block.userId}/${block.blockedUserId}`;
  return { ...baseRecord(context, { kind: 'userBlock', name }, block), ...block };
}

function peopleRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, community, channel, others } = crowd;
  const createdAt = crowd.timeOf(index);
  const userId = userOf(index);
  const { communityId } = crowd.placeOf(index);
  const ban = { reason: null, expiresAt: null, bannedBy: OWNER, bannedAt: createdAt };
  const named = { userId: `banned-user-${index}`, displayName: `Banned ${index}`, createdAt };
  const user = userRecord(context, { ...named, isGlobalBan: true, ban });
  const banned = { user, createdAt, isBanned: true, ban, roles: [] };
  const request = { status: 'pending', createdAt } as const;
  return [
    ['users', user],
    ['communityUsers', communityUserRecord(context, { community, ...banned, communityMembership: 'banned' })],
    ['channelUsers', channelUserRecord(context, { channel, ...banned, membership: 'banned' })],
    ['follows', followRecord(crowd, { userId, followedUserId: AUTHOR, createdAt })],
    ['follows', followRecord(crowd, { userId: AUTHOR, followedUserId: userId, createdAt })],
    ['userBlocks', blockRecord(crowd, { userId, blockedUserId: userOf((index + 1) % others), createdAt })],
    [
      'joinRequests',
      joinRequestRecord(context, {
        ...{ ...request, joinRequestId: `crowd-request-${index}`, targetId: 'crowd', requestorId: userId },
      }),
    ],
    [
      'joinRequests',
      joinRequestRecord(context, {
        ...{ ...request, joinRequestId: `own-request-${index}`, targetId: communityId, requestorId: OWNER },
      }),
    ],
  ];
}

function contentRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, target, post, comment } = crowd;
  const createdAt = crowd.timeOf(index);
  const userId = userOf(index);
  const { communityId } = crowd.placeOf(index);
  const data = { text: crowd.nameOf(index) };
  const onPost = { referenceType: 'post', referenceId: post.postId, userId, createdAt } as const;
  const onComment = { referenceType: 'comment', referenceId: comment.commentId, userId, createdAt } as const;
  const reply = { commentId: `crowd-reply-${index}`, userId, on: post, parent: comment, createdAt };
  const ownPost = `own-post-${index}`;
  const pin = { targetId: communityId, placement: 'default', referenceId: ownPost, pinnedBy: OWNER } as const;
  return [
    [
      'posts',
      postRecord(context, {
        ...{ postId: ownPost, targetType: 'community', targetId: communityId, postedUserId: OWNER, createdAt, data },
      }),
    ],
    [
      'posts',
      postRecord(context, {
        ...{ ...target, postId: `crowd-review-${index}`, postedUserId: AUTHOR, createdAt, data },
        feedType: 'reviewing',
      }),
    ],
    [
      'posts',
      postRecord(context, {
        ...{ postId: `crowd-profile-${index}`, targetType: 'user', targetId: AUTHOR, postedUserId: AUTHOR, createdAt },
        ...{ dataType: 'poll', data: { ...data, pollId: `crowd-poll-${index}` } },
      }),
    ],
    ['pins', pinRecord(context, { ...pin, pinnedAt: createdAt })],
    ['comments', { ...commentRecord(context, reply), segmentNumber: crowd.mains + 2 + index }],
    ['reactions', reactionRecord(context, { ...onPost, reactionName: 'like' })],
    ['reactions', reactionRecord(context, { ...onComment, reactionName: 'like' })],
    ['flags', flagRecord(context, { ...onPost, reason: 'Others' })],
    ['views', viewRecord(crowd, onPost)],
  ];
}

function viewRecord(
  { context }: Crowd,
  view: Pick<Records['views'], 'referenceType' | 'referenceId' | 'userId' | 'createdAt'>,
) {
  const name = `${view.referenceType}/${view.referenceId}/${view.userId}`;
  return { ...baseRecord(context, { kind: 'view', name }, view), ...view };
}

function storyRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, target, story } = crowd;
  const createdAt = crowd.timeOf(index);
  const time = crowd.storyTimeOf(index);
  const userId = userOf(index);
  const { communityId } = crowd.placeOf(index);
  const text = { dataType: 'text', data: { text: crowd.nameOf(index) } } as const;
  const onStory = { referenceType: 'story', referenceId: story.storyId, userId, createdAt } as const;
  const comment = { commentId: `crowd-story-comment-${index}`, userId, on: story, createdAt };
  return [
    [
      'stories',
      storyRecord(context, {
        ...{ ...target, ...text, ...time, ...crowd.flagsOf(index), storyId: `crowd-story-${index}`, userId: OWNER },
      }),
    ],
    [
      'stories',
      storyRecord(context, {
        ...{ ...text, ...time, storyId: `crowd-profile-story-${index}`, userId: AUTHOR },
        ...{ targetType: 'user', targetId: AUTHOR },
      }),
    ],
    [
      'stories',
      storyRecord(context, {
        ...{ ...text, ...time, storyId: `own-story-${index}`, userId: OWNER },
        ...{ targetType: 'community', targetId: communityId },
      }),
    ],
    [
      'storyTargets',
      {
        ...baseRecord(context, { kind: 'storyTarget', name: communityId }, { createdAt }),
        ...{ targetType: 'community', targetId: communityId },
        ...{ targetUpdatedAt: time.createdAt, lastStoryExpiresAt: time.expiresAt },
      },
    ],
    ['comments', { ...commentRecord(context, comment), segmentNumber: index + 1 }],
    ['reactions', reactionRecord(context, { ...onStory, reactionName: 'like' })],
    ['views', viewRecord(crowd, onStory)],
  ];
}

function chatRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, channel, feed, message, mains, others } = crowd;
  const createdAt = crowd.timeOf(index);
  const userId = userOf(index);
  const text = `${crowd.nameOf(index)} in the crowd`;
  const ownFeed = messageFeedRecord(context, {
    ...{ channel: crowd.channelOf(index), key: 'default', userId: OWNER, lastSegment: 1, createdAt },
  });
  const parentId = message.messageId;
  const reply = { feed, name: `crowd-reply-${index}`, userId, createdAt, segment: mains + 2 + index, parentId };
  // Few have read the newest message, all the oldest.
  const segment = index >= others - LIVE ? crowd.lastSegment : 1;
  const marker = { userId, entityId: channel._id.toHexString(), feedId: feed.messageFeedId, createdAt };
  const onMessage = { referenceType: 'message', referenceId: parentId, userId, createdAt } as const;
  return [
    ['messageFeeds', ownFeed],
    [
      'messages',
      messageRecord(context, { feed: ownFeed, name: `own-${index}`, userId: OWNER, createdAt, text, segment: 1 }),
    ],
    ['messages', messageRecord(context, reply)],
    [
      'userFeedMarkers',
      userFeedMarkerRecord(context, { ...marker, readToSegment: segment, deliveredToSegment: segment }),
    ],
    ['reactions', reactionRecord(context, { ...onMessage, reactionName: 'like' })],
  ];
}

function mediaRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, live } = crowd;
  const createdAt = crowd.timeOf(index);
  const title = crowd.nameOf(index);
  const attributes = {
    ...{ name: 'a.png', extension: 'png', size: 4_096, mimeType: 'image/png' },
    metadata: { exif: {}, gps: {}, height: 256, width: 256, isFull: true },
  };
  return [
    [
      'polls',
      pollRecord(context, {
        ...{ pollId: `crowd-poll-${index}`, userId: AUTHOR, question: title, createdAt, closedAt: live.expiresAt },
        answers: [{ id: 'a', dataType: 'text', data: 'Yes', fileId: null, voteCount: 0 }],
      }),
    ],
    [
      'rooms',
      roomRecord(context, {
        ...{ roomId: `crowd-room-${index}`, title, createdBy: AUTHOR, targetId: 'crowd', createdAt },
        referenceId: crowd.postOf(index),
      }),
    ],
    [
      'videoStreams',
      videoStreamRecord(context, { streamId: `crowd-stream-${index}`, userId: AUTHOR, title, createdAt }),
    ],
    [
      'files',
      fileRecord(context, { fileId: `crowd-file-${index}`, type: 'image', userId: OWNER, attributes, createdAt }),
    ],
  ];
}

function administrationRecords(crowd: Crowd, index: number): NamedRecord[] {
  const { context, start } = crowd;
  const createdAt = crowd.timeOf(index);
  const userId = userOf(index);
  return [
    [
      'categories',
      categoryRecord(context, { categoryId: `crowd-category-${index}`, name: crowd.nameOf(index), createdAt }),
    ],
    [
      'auditEntries',
      {
        ...baseRecord(context, { kind: 'auditEntry', name: String(index) }, { createdAt }),
        auditId: context.hex('audit', String(index)),
        ...{ actorKind: 'user', actorId: OWNER, action: 'banUsers', subjectType: 'user', subjectId: userId },
        ...{ affectedUserId: userId, communityId: null, channelId: null, reason: null, details: {} },
        ...{ transport: 'graphql', address: null },
      },
    ],
    [
      'webhookDeliveries',
      {
        ...baseRecord(context, { kind: 'webhookDelivery', name: String(index) }, { createdAt }),
        ...{ endpointId: ENDPOINT_ID, eventId: context.hex('event', String(index)), event: 'v3.post.didCreate' },
        ...{ source: null, cursor: null, body: '{}', state: 'delivered', dueAt: createdAt, lease: null },
        ...{ attemptCount: 1, attempts: [], deliveredAt: createdAt, expiresAt: new Date(start + 30 * DAY_MS) },
      },
    ],
  ];
}
