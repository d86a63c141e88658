import { canSeeBans } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, readPage } from '../../../store/page.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import type { BanList } from '../../ban/ban-list.ts';

/** A page of users who are banned from the network; null when the viewer may not ban. */
export async function listNetworkBans(
  context: Context,
  { inEffect, order, request }: BanList,
): Promise<Page<UserRecord> | null> {
  if (!canSeeBans(viewerOf(context))) return null;
  return readPage({
    collection: context.store.collections.users,
    budget: context.reads,
    filter: { ...inEffect, isGlobalBan: true },
    order,
    request,
  });
}
