import type { Moved } from '../../src/domain/community/members/move-members.ts';
import type { builder } from '../builder.ts';
import { Community } from './community.ts';
import { CommunityUser } from './community-user.ts';

type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;
type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Moved>;

/** What mutations of members ask. */
export const membersInputFields = (t: InputFields) => ({
  communityId: t.string({ required: true, description: 'Public id of the community.' }),
  userIds: t.stringList({ required: true, description: '1 to 100 public ids of users.' }),
});

/** What they answer. */
export const moved = (t: OutputFields) => ({
  community: t.expose('community', {
    type: Community,
    description: 'The community, with its counters as they are now.',
  }),
  members: t.expose('members', {
    type: [CommunityUser],
    description: 'The memberships of those that were named, as they are now.',
  }),
});
