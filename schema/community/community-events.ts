import type { CommunityRecord, CommunityUserRecord } from '../../src/store/records/community.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Community } from './community.ts';
import { CommunityUser } from './community-user.ts';

eventType('community', {
  about: 'a community',
  fields: (t) => ({
    community: t.field({
      type: Community,
      description: 'The community.',
      resolve: fromPayload<CommunityRecord>('community'),
    }),
  }),
});

eventType('communityUsers', {
  about: 'the members of a community',
  fields: (t) => ({
    community: t.field({
      type: Community,
      description: 'The community.',
      resolve: fromPayload<CommunityRecord>('community'),
    }),
    communityUsers: t.field({
      type: [CommunityUser],
      description: 'The changed memberships.',
      resolve: fromPayload<CommunityUserRecord[]>('communityUsers'),
    }),
  }),
});
