import { canSeeCategory } from '../../access/category.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { CategoryRecord } from '../../store/records/community.ts';

export interface CategoryQuery {
  /** @default name */
  sortBy?: 'name' | 'firstCreated' | 'lastCreated' | undefined;
  /** Only deleted ones, only live ones, or both (null). Deleted ones are visible to users who can delete categories. @default false */
  isDeleted?: boolean | null | undefined;
  /** Only these. @default all of the network */
  categoryIds?: readonly string[] | undefined;
  request: PageRequest;
}

const ORDERS: { [Sort in NonNullable<CategoryQuery['sortBy']>]: KeysetOrder } = {
  name: { field: 'name', direction: 1, type: 'string' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
};

/** A page of the network's categories. */
export function listCategories(
  context: Context,
  { sortBy = 'name', isDeleted = false, categoryIds, request }: CategoryQuery,
): Promise<Page<CategoryRecord>> {
  const viewer = viewerOf(context);
  return readPage({
    collection: context.store.collections.categories,
    budget: context.reads,
    filter: {
      networkId: viewer.networkId,
      ...(categoryIds && { categoryId: { $in: [...categoryIds] } }),
      ...(isDeleted !== null && { isDeleted }),
    },
    order: ORDERS[sortBy],
    request,
    visible: async (categories) => categories.filter((category) => canSeeCategory(viewer, category)),
  });
}
