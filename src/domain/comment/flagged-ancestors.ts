import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { markFlaggedContent } from '../community/mark-flagged-content.ts';
import { markReference } from './commentable.ts';

type Marked = Pick<CommentRecord, 'referenceType' | 'referenceId' | 'targetType' | 'targetId'>;

/** Marks the post or story and the community of a flagged comment. Needed only for the first flag of a comment. */
export async function markAncestorsOfComment(context: Context, session: ClientSession, comment: Marked): Promise<void> {
  const { referenceType, referenceId, targetType, targetId } = comment;
  await markReference(context, session, { referenceType, referenceId, hasFlaggedComment: true });
  if (targetType === 'community')
    await markFlaggedContent(context, session, { communityId: targetId, hasFlaggedComment: true });
}

/**
 * Removes the marks of a comment that was deleted or is no longer flagged from its post or story and its community, unless
 * another comment there is flagged.
 */
export async function unmarkAncestorsOfComment(
  context: Context,
  session: ClientSession,
  comment: Marked,
): Promise<void> {
  const { comments } = context.store.collections;
  const { networkId } = viewerOf(context);
  const { referenceType, referenceId, targetType, targetId } = comment;
  const isFlagged = { flagCount: { $gt: 0 }, isDeleted: false };
  const one = { session, projection: { _id: 1 } } as const;
  const otherOfReference = await comments.findOne({ networkId, referenceType, referenceId, ...isFlagged }, one);
  await markReference(context, session, { referenceType, referenceId, hasFlaggedComment: otherOfReference !== null });
  if (targetType !== 'community') return;
  const otherOfCommunity = await comments.findOne({ networkId, targetType, targetId, ...isFlagged }, one);
  await markFlaggedContent(context, session, { communityId: targetId, hasFlaggedComment: otherOfCommunity !== null });
}
