import { type Context, viewerOf } from '../../context.ts';
import { countTogether } from '../../store/count-together.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { FlagRecord } from '../../store/records/content.ts';
import type { FlagReference } from './flag-target.ts';

const NEWEST_FIRST: KeysetOrder = { field: 'createdAt', direction: -1, type: 'date' };

/** A page of the flags of a record, newest first. The caller has checked that the viewer moderates the record. */
export async function listFlags(
  context: Context,
  { referenceType, referenceId, flagCount }: FlagReference & { flagCount: number },
  request: PageRequest,
): Promise<Page<FlagRecord>> {
  if (flagCount === 0) return emptyPage(NEWEST_FIRST);
  return readPage({
    collection: context.store.collections.flags,
    budget: context.reads,
    filter: { networkId: viewerOf(context).networkId, referenceType, referenceId },
    order: NEWEST_FIRST,
    request,
  });
}

/** Flags on a user and their content, cleared ones not included, `max` at most. @param place only there; null: everywhere */
export function countFlagsOn(
  context: Context,
  {
    authorId,
    place,
    max,
  }: { authorId: string; place: { readonly [field: string]: string | null } | null; max: number },
): Promise<number> {
  const filter = { networkId: viewerOf(context).networkId, authorId, ...place };
  return countTogether(context.store.collections.flags, filter, { max });
}
