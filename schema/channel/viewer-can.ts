import { canAssignChannelRoles, canChangeMembers } from '../../src/access/channel.ts';
import { type Context, type Viewer, viewerOf } from '../../src/context.ts';
import { hasChangeableMembers } from '../../src/domain/channel/members/change-members.ts';
import { whenLoaded } from '../../src/lib/maybe-promise.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { Channel } from './channel.ts';

type Policy = (viewer: Viewer, membership: ChannelUserRecord | null, channel: ChannelRecord) => boolean;

/** A resolver from the policy function that also authorizes the operation. */
const allowed = (policy: Policy) => (channel: ChannelRecord, _: unknown, context: Context) => {
  const viewer = viewerOf(context);
  if (channel.isDeleted) return false;
  return whenLoaded(context.load.channelUsers.load([channel.channelId, viewer.userId]), (membership) =>
    policy(viewer, membership, channel),
  );
};

builder.objectFields(Channel, (t) => ({
  viewerCanAssignRoles: t.boolean({
    description: 'Whether the viewer can assign and remove roles up to their own rank.',
    resolve: allowed(canAssignChannelRoles),
  }),
  viewerCanMuteMembers: t.boolean({
    description: 'Whether the viewer can mute and unmute members whose rank is not higher.',
    resolve: allowed((viewer, membership) => canChangeMembers(viewer, membership, 'mute')),
  }),
  viewerCanBanMembers: t.boolean({
    description:
      'Whether the viewer can ban and unban users whose rank is not higher. Users cannot be banned from conversations, and from the channel of a community only with the community.',
    resolve: allowed(
      (viewer, membership, channel) => hasChangeableMembers(channel) && canChangeMembers(viewer, membership, 'ban'),
    ),
  }),
}));
