import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Page } from '../../store/page.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { seesReference } from './get-reaction.ts';
import { type ReactionList, reactionsOf } from './reactions-of.ts';

/**
 * As {@link reactionsOf}, of a record that the caller names.
 * @throws {OperationError} NOT_FOUND when it is absent or not to be seen
 */
export async function listReactions(
  context: Context,
  list: Omit<ReactionList, 'count'>,
): Promise<Page<ReactionRecord>> {
  if (!(await seesReference(context, list))) throw notFound('What the reactions refer to');
  return reactionsOf(context, { ...list, count: 1 });
}
