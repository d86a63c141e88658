import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { requireStillMember } from '../channel/members/require-still-member.ts';
import { reactableComment } from '../comment/reactable-comment.ts';
import { requireStillVisible } from '../community/members/require-still-visible.ts';
import type { ReactionChange } from '../engagement/count-reaction.ts';
import type { Reactable, ReactedRecord } from '../engagement/reactable.ts';
import { reactableMessage } from '../message/reactable-message.ts';
import { reactablePost } from '../post/engagement/reactable-post.ts';
import { reactableStory } from '../story/reactable-story.ts';

/**
 * @throws {OperationError} NOT_FOUND or FORBIDDEN when the viewer was banned or left while the transaction waited for
 *   its lock
 */
export async function requireStillThere(context: Context, session: ClientSession, target: Reactable): Promise<void> {
  const { place, channel } = target;
  if (channel) await requireStillMember(context, session, channel);
  if (place?.targetType === 'community') await requireStillVisible(context, session, { communityId: place.targetId });
}

/** @throws {OperationError} NOT_FOUND if the record was deleted in the meantime */
export async function counted(
  target: Reactable,
  session: ClientSession,
  change: ReactionChange,
): Promise<ReactedRecord> {
  const record = await target.count(session, change);
  if (!record) throw notFound('Record');
  return record;
}

/**
 * Loads the record that a reaction refers to.
 * @throws {OperationError} NOT_FOUND when the viewer does not see it; the error of its resource when the viewer may not
 *   react
 */
export function reactionTarget(
  context: Context,
  { referenceType, referenceId }: Pick<ReactionRecord, 'referenceType' | 'referenceId'>,
): Promise<Reactable> {
  const find = { post: reactablePost, comment: reactableComment, story: reactableStory, message: reactableMessage };
  return find[referenceType](context, referenceId) as Promise<Reactable>;
}
