import type { ChangedMembers } from '../../src/domain/community/members/change-members.ts';
import type { builder } from '../builder.ts';
import { Community } from './community.ts';
import { CommunityUser } from './community-user.ts';

type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, ChangedMembers>;

/** Result of mutations that change memberships. */
export const MEMBERSHIP_PAYLOAD = {
  outputFields: (t: OutputFields) => ({
    community: t.expose('community', {
      type: Community,
      description: 'The community after the change, with its updated counters.',
    }),
    members: t.expose('members', {
      type: [CommunityUser],
      description: 'The memberships of the users in the input, after the change.',
    }),
  }),
};
