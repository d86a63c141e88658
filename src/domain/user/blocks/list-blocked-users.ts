import { canSeeUser } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { UserBlockRecord } from '../../../store/records/user.ts';

/** A page of the users whom the viewer blocked, most recent first, without deleted accounts. */
export function listBlockedUsers(
  context: Context,
  { request }: { request: PageRequest },
): Promise<Page<UserBlockRecord>> {
  const viewer = viewerOf(context);
  return readPage({
    collection: context.store.collections.userBlocks,
    budget: context.reads,
    filter: { networkId: viewer.networkId, userId: viewer.userId },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (blocks) => {
      const users = await Promise.all(blocks.map(({ blockedUserId }) => context.load.users.load(blockedUserId)));
      return blocks.filter((_, index) => users[index] && canSeeUser(viewer, users[index]));
    },
  });
}
