import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { together } from '../../store/transaction.ts';
import type { ReactedRecord } from '../engagement/reactable.ts';
import { id, text, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireNotBlocked, writePartners } from '../user/blocks/blocks.ts';
import { requireStillOnFeed } from '../user/follows/require-still-on-feed.ts';
import { reactionEvent } from './reaction-events.ts';
import { counted, reactionTarget, requireStillThere } from './reaction-target.ts';

export const reactionInput = z.object({
  referenceType: z.enum(['post', 'comment', 'story', 'message']).describe('Kind of record.'),
  referenceId: id().describe('Public id of the record.'),
  reactionName: text({ max: 100 }).describe('Name of the reaction, such as `like`; any name is accepted.'),
});
export type ReactionInput = z.input<typeof reactionInput>;

export interface Reacted {
  reaction: ReactionRecord;
  /** The record of the reaction, with updated counters. */
  record: ReactedRecord;
}

/**
 * Adds a reaction to a post, comment, story or message. A user has one reaction per name and record; adding it again
 * returns the existing one.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the record or it is deleted; BAD_REQUEST for an
 *   unpublished post; FORBIDDEN on a message unless the viewer is a member of the channel, and on the feed of a user or
 *   in a conversation of two if one of the two blocks the other
 */
export async function addReaction(context: Context, input: ReactionInput): Promise<Reacted> {
  const viewer = viewerOf(context);
  const { referenceType, referenceId, reactionName } = validate(reactionInput, input);
  const target = await reactionTarget(context, { referenceType, referenceId });
  const partners = target.channel ? await writePartners(context, target.channel) : [];
  const { networkId, userId, userInternalId } = viewer;
  const { reactions } = context.store.collections;
  const own = { networkId, referenceType, referenceId, userId, reactionName };
  const reacted = await context.transaction(
    async (session) => {
      if (target.place) await requireStillOnFeed(context, session, target.place);
      await requireNotBlocked(context, partners, { session });
      const now = context.now();
      const _id = new ObjectId();
      const made = { _id, reactionId: _id.toHexString(), userInternalId, createdAt: now, updatedAt: now };
      const reaction = await reactions.findOneAndUpdate(
        own,
        { $setOnInsert: made },
        { session, upsert: true, returnDocument: 'after' },
      );
      if (!reaction!._id.equals(_id)) return { reaction: reaction!, record: null };
      const [record] = await together(session, [
        () => counted(target, session, { reaction: reaction!, by: 1 }),
        () => requireStillThere(context, session, target),
        () => appendEvents(context, session, [reactionEvent('added', { reaction: reaction!, path: target.path })]),
      ]);
      return { reaction: reaction!, record };
    },
    lockFor(context, referenceType, referenceId),
  );
  context.load.myReactions.clear([userId, referenceId]);
  context.load.reactors.clear(referenceId);
  return { reaction: reacted.reaction, record: target.present(reacted.record) };
}
