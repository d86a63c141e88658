import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import type { CommentRecord, PostRecord, ReactionRecord, StoryRecord } from '../../store/records/content.ts';
import { requireStillMember } from '../channel/members/require-still-member.ts';
import { reactableComment } from '../comment/reactable-comment.ts';
import { requireStillVisible } from '../community/members/require-still-visible.ts';
import { reactableMessage } from '../message/reactable-message.ts';
import { reactablePost } from '../post/engagement/reactable-post.ts';
import { reactableStory } from '../story/reactable-story.ts';
import type { ReactionChange } from './count-reaction.ts';

/** What reactions hang on: a record that the viewer sees, and how it counts them. */
export interface Reactable<Record = ReactedRecord> {
  /** Where it stands, as far as blocks between users matter there; absent for messages, which stand in a channel. */
  place?: { targetType: string; targetId: string };
  channelId?: string;
  /** Carries a reaction that came or went to the record's counters; null when the record is gone. */
  count(session: ClientSession, change: ReactionChange): Promise<Record | null>;
  /** The record as the viewer may see it, and as it was read when there was nothing to count. */
  present(record: Record | null): Record;
}

/** @throws {OperationError} NOT_FOUND or FORBIDDEN when the viewer was banned or left while the reaction waited for its turn */
export async function requireStillThere(context: Context, session: ClientSession, target: Reactable): Promise<void> {
  const { place, channelId } = target;
  if (channelId !== undefined) await requireStillMember(context, session, { channelId });
  if (place?.targetType === 'community') await requireStillVisible(context, session, { communityId: place.targetId });
}

/** @throws {OperationError} NOT_FOUND when what is reacted to was deleted meanwhile: the reaction must not stay alone */
export async function counted(
  target: Reactable,
  session: ClientSession,
  change: ReactionChange,
): Promise<ReactedRecord> {
  const record = await target.count(session, change);
  if (!record) throw notFound('What the reaction refers to');
  return record;
}

export type ReactedRecord = PostRecord | CommentRecord | StoryRecord | MessageRecord;

/**
 * Finds what a reaction refers to.
 * @throws {OperationError} NOT_FOUND when it is absent, deleted or not to be seen; what its noun says when the viewer
 *   may not take part
 */
export function reactionTarget(
  context: Context,
  { referenceType, referenceId }: Pick<ReactionRecord, 'referenceType' | 'referenceId'>,
): Promise<Reactable> {
  const find = { post: reactablePost, comment: reactableComment, story: reactableStory, message: reactableMessage };
  return find[referenceType](context, referenceId) as Promise<Reactable>;
}
