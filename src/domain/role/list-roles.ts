import { canSeeRole } from '../../access/role.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { RoleRecord } from '../../store/records/user.ts';
import { containsText } from '../../store/text-filter.ts';

export interface RoleQuery {
  /** Occurs in the name. */
  keyword?: string | null | undefined;
  /** @default firstCreated */
  sortBy?: 'firstCreated' | 'lastCreated' | undefined;
  request: PageRequest;
}

/** A page of the network's roles. */
export function listRoles(
  context: Context,
  { keyword, sortBy = 'firstCreated', request }: RoleQuery,
): Promise<Page<RoleRecord>> {
  const viewer = viewerOf(context);
  return readPage({
    collection: context.store.collections.roles,
    budget: context.reads,
    filter: { networkId: viewer.networkId, ...(keyword && { displayName: containsText(keyword) }) },
    order: { field: 'createdAt', direction: sortBy === 'firstCreated' ? 1 : -1, type: 'date' },
    request,
    visible: async (roles) => roles.filter((role) => canSeeRole(viewer, role)),
  });
}
