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
    description: 'Whether asking to join does something: the viewer is no member, not banned, and may know of it.',
    resolve: async (community, _, context) => {
      const { userId } = viewerOf(context);
      const membership = await context.load.communityUsers.load([community.communityId, userId]);
      return access.canJoinCommunity(community, membership);
    },
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer may change what is said of it.',
    resolve: asks(access.canEditCommunity),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer may delete it.',
    resolve: asks(access.canDeleteCommunity),
  }),
  viewerCanAddMembers: t.boolean({
    description: 'Whether the viewer may add members.',
    resolve: asks(access.canAddMembers),
  }),
  viewerCanRemoveMembers: t.boolean({
    description: 'Whether the viewer may remove members that do not rank higher.',
    resolve: asks(access.canRemoveMembers),
  }),
  viewerCanBanMembers: t.boolean({
    description: 'Whether the viewer may ban users that do not rank higher, and take bans back.',
    resolve: asks(access.canBanMembers),
  }),
  viewerCanAssignRoles: t.boolean({
    description: 'Whether the viewer may grant and take away roles up to their own rank.',
    resolve: asks(access.canAssignCommunityRoles),
  }),
  viewerCanAnswerJoinRequests: t.boolean({
    description: 'Whether the viewer answers requests to join.',
    resolve: asks(canAnswerJoinRequests),
  }),
}));
