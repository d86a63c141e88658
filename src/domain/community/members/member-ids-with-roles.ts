import { type Context, viewerOf } from '../../../context.ts';

/** Public ids of up to `limit` members of a community who hold one of the roles there. */
export async function memberIdsWithRoles(
  context: Context,
  { communityId, roleIds, limit }: { communityId: string; roleIds: string[]; limit: number },
): Promise<string[]> {
  const { networkId } = viewerOf(context);
  const members = await context.store.collections.communityUsers
    .find({ networkId, communityId, roles: { $in: roleIds }, communityMembership: 'member' })
    .project<{ userId: string }>({ userId: 1 })
    .limit(limit)
    .toArray();
  return members.map(({ userId }) => userId);
}
