import { canSeeUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { containsText } from '../../store/text-filter.ts';

export interface UserQuery {
  /** Occurs in the name. */
  keyword?: string | null | undefined;
  /** @default all */
  filter?: 'all' | 'flagged' | undefined;
  /** @default displayName */
  sortBy?: 'displayName' | 'firstCreated' | 'lastCreated' | undefined;
  /** Deleted ones only, live ones only, or both (null). @default false */
  isDeleted?: boolean | null | undefined;
  request: PageRequest;
}

const ORDERS: { [Sort in NonNullable<UserQuery['sortBy']>]: KeysetOrder } = {
  displayName: { field: 'displayName', direction: 1, type: 'string' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
};

/** A page of the network's users (legacy-facts §6.2, user filter). */
export function listUsers(context: Context, query: UserQuery): Promise<Page<UserRecord>> {
  const viewer = viewerOf(context);
  const { keyword, filter = 'all', sortBy = 'displayName', isDeleted = false, request } = query;
  return readPage({
    collection: context.store.collections.users,
    budget: context.reads,
    filter: {
      networkId: viewer.networkId,
      ...(isDeleted !== null && { isDeleted }),
      ...(filter === 'flagged' && { flagCount: { $gt: 0 } }),
      // A condition of its own, since a page in the order of names bounds the same field.
      ...(keyword && { $and: [{ displayName: containsText(keyword) }] }),
    },
    order: ORDERS[sortBy],
    request,
    visible: async (users) => users.filter((user) => canSeeUser(viewer, user)),
  });
}
