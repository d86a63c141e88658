import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { together } from '../../store/transaction.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { type Reacted, type ReactionInput, reactionInput } from './add-reaction.ts';
import { reactionEvent } from './reaction-events.ts';
import { counted, reactionTarget } from './reaction-target.ts';

/**
 * Removes a reaction of the viewer.
 * @throws {OperationError} NOT_FOUND when there is none, or when the viewer no longer sees the record
 */
export async function removeReaction(context: Context, input: ReactionInput): Promise<Reacted> {
  const { networkId, userId } = viewerOf(context);
  const { referenceType, referenceId, reactionName } = validate(reactionInput, input);
  const target = await reactionTarget(context, { referenceType, referenceId });
  const own = { networkId, referenceType, referenceId, userId, reactionName };
  const removed = await context.transaction(
    async (session) => {
      const reaction = await context.store.collections.reactions.findOneAndDelete(own, { session });
      if (!reaction) throw notFound('Reaction');
      const [record] = await together(session, [
        () => counted(target, session, { reaction, by: -1 }),
        () => appendEvents(context, session, [reactionEvent('removed', { reaction, path: target.path })]),
      ]);
      return { reaction, record };
    },
    lockFor(context, referenceType, referenceId),
  );
  context.load.myReactions.clear([userId, referenceId]);
  context.load.reactors.clear(referenceId);
  context.load.reactions.clear(removed.reaction.reactionId);
  return { reaction: removed.reaction, record: target.present(removed.record) };
}
