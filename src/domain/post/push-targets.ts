import { canSeePost } from '../../access/post.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { CommunityRecord } from '../../store/records/community.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { memberIdsWithRoles } from '../community/members/member-ids-with-roles.ts';
import { serviceViewer } from '../session/service-viewer.ts';
import { feedPrivacy } from '../user/follows/feed-privacy.ts';

/** Maximum user ids in one delivery. */
const MAX_REVIEWERS = 1_000;

/** Public ids of the mentioned users who may see the post (`targetIds`, see `docs/interface.md#push-notifications`). */
export async function mentionedUserIdsWithAccess(context: Context, post: PostRecord): Promise<string[]> {
  const { load } = context;
  const userIds = [...new Set(post.mentionees.flatMap((mention) => mention.userIds))];
  const community = post.targetType === 'community' ? await load.communities.load(post.targetId) : null;
  const visibleTo = await Promise.all(
    userIds.map(async (userId) => {
      const user = await load.users.load(userId);
      return user && !user.isDeleted && (await canUserSeePost(context, { user, post, community })) ? [userId] : [];
    }),
  );
  return visibleTo.flat();
}

async function canUserSeePost(
  context: Context,
  { user, post, community }: { user: UserRecord; post: PostRecord; community: CommunityRecord | null },
): Promise<boolean> {
  const membership = community && (await context.load.communityUsers.load([community.communityId, user.userId]));
  const privacy = community ? null : await feedPrivacy(context, user, post.targetId);
  const viewer = {
    ...serviceViewer(user.networkId),
    userId: user.userId,
    roles: user.roles,
    permissions: new Set(user.permissions),
  };
  return canSeePost(viewer, post, { community, membership, privacy });
}

/** Public ids of the members who review posts in the post's community, at most {@link MAX_REVIEWERS}. */
export async function reviewerIdsOf(context: Context, post: PostRecord): Promise<string[]> {
  if (post.targetType !== 'community') return [];
  const { networkId } = viewerOf(context);
  const roles = await context.store.roleCache.rolesOf(networkId);
  const reviewing = [...roles.values()].filter(({ permissions }) => permissions.includes('EDIT_COMMUNITY_POST'));
  const roleIds = reviewing.map(({ roleId }) => roleId);
  return memberIdsWithRoles(context, { communityId: post.targetId, roleIds, limit: MAX_REVIEWERS });
}
