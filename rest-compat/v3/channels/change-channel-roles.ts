import { z } from 'zod';
import { AddRestChannelRoleDocument, RemoveRestChannelRoleDocument } from '../../generated/documents.ts';
import { id, list } from '../../params.ts';
import { type Route, route } from '../../route.ts';
import { CHANNEL_ARRAYS } from '../../v4/channels/list-channel-users.ts';

const shared = {
  path: '/api/v3/channels/:channelId/users/roles',
  params: z.object({ channelId: id(), role: id(100), userIds: list(id(50), { min: 1, max: 100 }) }),
  variables: (input: { channelId: string; role: string; userIds: string[] }) => ({ input }),
  arrays: CHANNEL_ARRAYS,
};

export const channelRoles: Route[] = [
  route({
    ...shared,
    method: 'POST',
    section: 'interface §4.5',
    summary: 'Add a role to users of a channel.',
    document: AddRestChannelRoleDocument,
  }),
  route({
    ...shared,
    method: 'DELETE',
    section: 'legacy-facts §3',
    summary: 'Remove a role from users of a channel.',
    document: RemoveRestChannelRoleDocument,
  }),
];
