import { canSeeUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { KeysetOrder } from '../../store/keyset-query.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { containsText } from '../../store/text-filter.ts';
import { idsByName } from '../search-index/ids-by-name.ts';

export interface UserQuery {
  /** Part of the name. */
  keyword?: string | null | undefined;
  /** @default all */
  filter?: 'all' | 'flagged' | undefined;
  /** @default displayName */
  sortBy?: 'displayName' | 'firstCreated' | 'lastCreated' | undefined;
  /** true: deleted users; false: live ones; null: both. @default false */
  isDeleted?: boolean | null | undefined;
  request: PageRequest;
}

const ORDERS: { [Sort in NonNullable<UserQuery['sortBy']>]: KeysetOrder } = {
  displayName: { field: 'displayName', direction: 1, type: 'string' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
};

/** A page of the network's users. */
export async function listUsers(context: Context, query: UserQuery): Promise<Page<UserRecord>> {
  const viewer = viewerOf(context);
  const { keyword, filter = 'all', sortBy = 'displayName', isDeleted = false, request } = query;
  const named = keyword ? await idsByName(context, { kind: 'user', text: keyword }) : null;
  return readPage({
    collection: context.store.collections.users,
    budget: context.reads,
    filter: {
      networkId: viewer.networkId,
      ...(named && { userId: { $in: named } }),
      ...(isDeleted !== null && { isDeleted }),
      ...(filter === 'flagged' && { flagCount: { $gt: 0 } }),
      // In `$and`, because a page sorted by name bounds the same field.
      ...(keyword && { $and: [{ displayName: containsText(keyword) }] }),
    },
    order: ORDERS[sortBy],
    request,
    visible: async (users) => users.filter((user) => canSeeUser(viewer, user)),
  });
}
