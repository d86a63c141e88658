import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { ReactionRecord } from '../../store/records/content.ts';
import { canSeeReference } from './get-reaction.ts';

const NEWEST_FIRST: KeysetOrder = { field: 'createdAt', direction: -1, type: 'date' };

export interface ReactionList {
  referenceType: ReactionRecord['referenceType'];
  referenceId: string;
  /** Number of reactions of the record; 0 skips the query. */
  count: number;
  /**
   * Whether the record is deleted. Access is then checked again, because users without access also receive the deletion
   * event.
   * @default false
   */
  isDeleted?: boolean;
  reactionName?: string | null | undefined;
  request: PageRequest;
}

/**
 * A page of the reactions to a record of an event or response, newest first; empty when the viewer no longer sees it.
 */
export async function reactionsOf(context: Context, list: ReactionList): Promise<Page<ReactionRecord>> {
  const { referenceType, referenceId, reactionName, request } = list;
  const { networkId } = viewerOf(context);
  if (list.count === 0 || (list.isDeleted && !(await canSeeReference(context, list)))) return emptyPage(NEWEST_FIRST);
  return readPage<ReactionRecord>({
    collection: context.store.collections.reactions,
    budget: context.reads,
    filter: { networkId, referenceType, referenceId, ...(reactionName != null && { reactionName }) },
    order: NEWEST_FIRST,
    request,
  });
}
