import type { KeysetOrder } from '../../../store/keyset.ts';

/** The orders that lists of posts come in, as the REST interface spells them (legacy-facts §6.2). */
export const POST_SORTS = ['lastCreated', 'firstCreated', 'lastUpdated', 'firstUpdated'] as const;

export type PostSort = (typeof POST_SORTS)[number];

export function postOrder(sort: PostSort): KeysetOrder {
  return {
    field: sort.endsWith('Created') ? 'createdAt' : 'updatedAt',
    direction: sort.startsWith('last') ? -1 : 1,
    type: 'date',
  };
}
