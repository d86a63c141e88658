import * as access from '../../src/access/community.ts';
import { canAnswerJoinRequests } from '../../src/access/join-request.ts';
import { type Context, type Viewer, viewerOf } from '../../src/context.ts';
import { whenLoaded } from '../../src/lib/maybe-promise.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Community } from './community.ts';

type Policy = (viewer: Viewer, membership: CommunityUserRecord | null) => boolean;

/** A resolver from the policy function that also authorizes the operation. */
const allowed = (policy: Policy) => (community: CommunityRecord, _: unknown, context: Context) => {
  const viewer = viewerOf(context);
  if (community.isDeleted) return false;
  return whenLoaded(context.load.communityUsers.load([community.communityId, viewer.userId]), (membership) =>
    policy(viewer, membership),
  );
};

builder.objectFields(Community, (t) => ({
  viewerCanJoin: t.boolean({
    description:
      'Whether the viewer can join or request to join: they are neither a member nor banned, and can see that the community exists.',
    resolve: (community, _, context) =>
      whenLoaded(context.load.communityUsers.load([community.communityId, viewerOf(context).userId]), (membership) =>
        access.canJoinCommunity(community, membership),
      ),
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update it.',
    resolve: allowed(access.canEditCommunity),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: allowed(access.canDeleteCommunity),
  }),
  viewerCanAddMembers: t.boolean({
    description: 'Whether the viewer can add members.',
    resolve: allowed(access.canAddMembers),
  }),
  viewerCanRemoveMembers: t.boolean({
    description: 'Whether the viewer can remove members whose rank is not higher.',
    resolve: allowed(access.canRemoveMembers),
  }),
  viewerCanBanMembers: t.boolean({
    description: 'Whether the viewer can ban and unban users whose rank is not higher.',
    resolve: allowed(access.canBanMembers),
  }),
  viewerCanAssignRoles: t.boolean({
    description: 'Whether the viewer can assign and remove roles up to their own rank.',
    resolve: allowed(access.canAssignCommunityRoles),
  }),
  viewerCanAnswerJoinRequests: t.boolean({
    description: 'Whether the viewer can approve and reject join requests.',
    resolve: allowed(canAnswerJoinRequests),
  }),
}));
