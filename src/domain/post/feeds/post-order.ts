import type { KeysetOrder } from '../../../store/keyset-query.ts';

/** Orders of lists of posts, by their REST names. */
export const POST_SORTS = ['lastCreated', 'firstCreated', 'lastUpdated', 'firstUpdated'] as const;

export type PostSort = (typeof POST_SORTS)[number];

export function postOrder(sort: PostSort): KeysetOrder {
  return {
    field: sort.endsWith('Created') ? 'createdAt' : 'updatedAt',
    direction: sort.startsWith('last') ? -1 : 1,
    type: 'date',
  };
}
