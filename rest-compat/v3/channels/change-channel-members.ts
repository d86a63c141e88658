import { z } from 'zod';
import {
  RestAddChannelMembersDocument,
  RestBanChannelMembersDocument,
  RestJoinChannelDocument,
  RestLeaveChannelDocument,
  RestMuteChannelDocument,
  RestMuteChannelMembersDocument,
  RestRemoveChannelMembersDocument,
  RestUnbanChannelMembersDocument,
} from '../../generated/documents.ts';
import { id, int, list } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

const mutePeriod = int({ min: -1, max: 2 ** 31 - 1 });
const members = { channelId: id(), userIds: list(id(50), { min: 1, max: 100 }) };
const shared = { section: 'legacy-facts §7', arrays: CHANNEL_ARRAYS } as const;
const ofMembers = {
  ...shared,
  params: z.object(members),
  variables: (input: { channelId: string; userIds: string[] }) => ({ input }),
};
const ofOneself = {
  ...shared,
  params: z.object({ channelId: id() }),
  variables: (input: { channelId: string }) => ({ input }),
};

/** Who is in a channel, and who may write. */
export const channelMembers: Route[] = [
  route({
    ...ofOneself,
    method: 'POST',
    path: '/api/v3/channels/:channelId/join',
    summary: 'Join a channel.',
    document: RestJoinChannelDocument,
  }),
  route({
    ...ofOneself,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId/leave',
    summary: 'Leave a channel.',
    document: RestLeaveChannelDocument,
  }),
  route({
    ...ofMembers,
    method: 'POST',
    path: '/api/v3/channels/:channelId/users',
    summary: 'Make users members of a channel.',
    document: RestAddChannelMembersDocument,
  }),
  route({
    ...ofMembers,
    method: 'DELETE',
    path: '/api/v3/channels/:channelId/users',
    summary: 'End the membership of users.',
    document: RestRemoveChannelMembersDocument,
  }),
  route({
    ...ofMembers,
    method: 'PUT',
    path: '/api/v3/channels/:channelId/users/ban',
    summary: 'Ban users from a channel.',
    document: RestBanChannelMembersDocument,
  }),
  route({
    ...ofMembers,
    method: 'PUT',
    path: '/api/v3/channels/:channelId/users/unban',
    summary: 'Take bans from a channel back.',
    document: RestUnbanChannelMembersDocument,
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v2/channel/:channelId/mute',
    summary: 'Mute a channel for a time; −1 for good, 0 to end it.',
    params: z.object({ channelId: id(), mutePeriod }),
    document: RestMuteChannelDocument,
    variables: (input) => ({ input }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/api/v2/channel/:channelId/users/mute',
    summary: 'Mute members of a channel for a time; −1 for good, 0 to end it.',
    params: z.object({ ...members, mutePeriod }),
    document: RestMuteChannelMembersDocument,
    variables: (input) => ({ input }),
  }),
];
