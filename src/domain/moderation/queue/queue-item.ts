import type { ObjectId } from 'mongodb';
import type { ChannelRecord, MessageRecord } from '../../../store/records/chat.ts';
import type { CommentRecord, PostRecord, StoryRecord } from '../../../store/records/content.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import type { QueueKind } from '../../flag/queue-source.ts';

export type QueueState = 'flagged' | 'awaitingReview';

export type QueuedRecord = PostRecord | CommentRecord | StoryRecord | MessageRecord | UserRecord;

/** A record that waits for a decision of a moderator, as the viewer, who is one, sees it. */
export interface QueueItem {
  /** Those of the record; the position in the queue. */
  _id: ObjectId;
  createdAt: Date;
  kind: QueueKind;
  /** Public id of the record. */
  itemId: string;
  record: QueuedRecord;
  authorId: string;
  communityId: string | null;
  /** Of a message. */
  channelId: ChannelRecord['channelId'] | null;
  states: QueueState[];
}

/** The item of a record; its states are empty if it is not in the queue. */
export function toQueueItem(kind: QueueKind, record: QueuedRecord): QueueItem {
  const { _id, createdAt } = record;
  return { _id, createdAt, kind, record, states: statesOf(record), ...detailsOf(record) };
}

function detailsOf(record: QueuedRecord): Pick<QueueItem, 'itemId' | 'authorId' | 'communityId' | 'channelId'> {
  if ('messageId' in record) {
    return { itemId: record.messageId, authorId: record.userId, communityId: null, channelId: record.channelId };
  }
  const communityId = 'targetType' in record && record.targetType === 'community' ? record.targetId : null;
  const place = { communityId, channelId: null };
  if ('storyId' in record) return { itemId: record.storyId, authorId: record.userId, ...place };
  if ('commentId' in record) return { itemId: record.commentId, authorId: record.userId, ...place };
  if ('postId' in record) return { itemId: record.postId, authorId: record.postedUserId, ...place };
  return { itemId: record.userId, authorId: record.userId, ...place };
}

function statesOf(record: QueuedRecord): QueueState[] {
  if (record.isDeleted) return [];
  const isInReview = 'postId' in record && record.feedType === 'reviewing' && record.parentPostId === null;
  return [...(record.flagCount > 0 ? ['flagged' as const] : []), ...(isInReview ? ['awaitingReview' as const] : [])];
}
