import type { ClientSession } from 'mongodb';
import type { ChannelRecord, MessageRecord } from '../../store/records/chat.ts';
import type { CommentRecord, PostRecord, StoryRecord } from '../../store/records/content.ts';
import type { ReactionChange } from './count-reaction.ts';

export type ReactedRecord = PostRecord | CommentRecord | StoryRecord | MessageRecord;

/** A record that users react to, and how its resource counts the reactions. */
export interface Reactable<Record = ReactedRecord> {
  /** The target it was published on, where blocks between users apply; absent for messages. */
  place?: { targetType: string; targetId: string };
  /** The channel of a message, where a block in a conversation of two applies. */
  channel?: ChannelRecord;
  /** Path of the record, the topic of its events. */
  path: string;
  /** Updates the record's counters for one reaction; null when the record no longer exists. */
  count(session: ClientSession, change: ReactionChange): Promise<Record | null>;
  /** The record as the viewer may see it. Null presents the record as first read. */
  present(record: Record | null): Record;
}
