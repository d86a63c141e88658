import * as access from '../../src/access/community.ts';
import { canAnswerJoinRequests } from '../../src/access/join-request.ts';
import { type Context, type Viewer, viewerOf } from '../../src/context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Community } from './community.ts';

type May = (viewer: Viewer, membership: CommunityUserRecord | null) => boolean;

/** The same rules as the operations ask, of the membership that the request has read already. */
const asks = (may: May) => async (community: CommunityRecord, _: unknown, context: Context) => {
  const viewer = viewerOf(context);
  if (community.isDeleted) return false;
  return may(viewer, await context.load.communityUsers.load([community.communityId, viewer.userId]));
};

builder.objectFields(Community, (t) => ({
  viewerCanJoin: t.boolean({
    description:
      'Whether the viewer can join or request to join: they are neither a member nor banned, and can see that the community exists.',
    resolve: async (community, _, context) => {
      const { userId } = viewerOf(context);
      const membership = await context.load.communityUsers.load([community.communityId, userId]);
      return access.canJoinCommunity(community, membership);
    },
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update it.',
    resolve: asks(access.canEditCommunity),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: asks(access.canDeleteCommunity),
  }),
  viewerCanAddMembers: t.boolean({
    description: 'Whether the viewer can add members.',
    resolve: asks(access.canAddMembers),
  }),
  viewerCanRemoveMembers: t.boolean({
    description: 'Whether the viewer can remove members whose rank is not higher.',
    resolve: asks(access.canRemoveMembers),
  }),
  viewerCanBanMembers: t.boolean({
    description: 'Whether the viewer can ban and unban users whose rank is not higher.',
    resolve: asks(access.canBanMembers),
  }),
  viewerCanAssignRoles: t.boolean({
    description: 'Whether the viewer can assign and remove roles up to their own rank.',
    resolve: asks(access.canAssignCommunityRoles),
  }),
  viewerCanAnswerJoinRequests: t.boolean({
    description: 'Whether the viewer can approve and reject join requests.',
    resolve: asks(canAnswerJoinRequests),
  }),
}));
