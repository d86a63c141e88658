import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Page } from '../../store/page.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { canSeeReference } from './get-reaction.ts';
import { type ReactionList, reactionsOf } from './reactions-of.ts';

/**
 * As {@link reactionsOf}, for a record that the client names.
 * @throws {OperationError} NOT_FOUND if the viewer does not see the record
 */
export async function listReactions(
  context: Context,
  list: Omit<ReactionList, 'count'>,
): Promise<Page<ReactionRecord>> {
  if (!(await canSeeReference(context, list))) throw notFound('Record');
  return reactionsOf(context, { ...list, count: 1 });
}
