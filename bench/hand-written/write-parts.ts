import { type ClientSession, ObjectId } from 'mongodb';
import type { EventRecord } from '../../src/store/records/event.ts';
import type { Store } from '../../src/store/store.ts';

export async function inTransaction<Result>(
  store: Store,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  return store.client.withSession((session) => session.withTransaction(() => work(session)));
}

type EventInput = Pick<EventRecord, 'networkId' | 'type' | 'path' | 'data'> & { userId: string };

/** Appends the event for subscribers and webhooks. */
export async function appendEvents(store: Store, session: ClientSession, ...all: EventInput[]): Promise<void> {
  const now = new Date();
  const commitId = new ObjectId().toHexString();
  const events = all.map(({ userId, ...event }): EventRecord => {
    const _id = new ObjectId();
    return {
      ...event,
      _id,
      eventId: _id.toHexString(),
      commitId,
      actorId: userId,
      senderId: 'hand-written',
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + 7 * 86_400_000),
    };
  });
  await store.collections.events.insertMany(events, { session });
}

export const EMPTY_POST = {
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

export const EMPTY_MESSAGE = {
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
