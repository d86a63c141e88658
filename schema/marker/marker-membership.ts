import type { EntityMarker } from '../../src/domain/marker/queries/get-unread-totals.ts';
import { restEnum } from '../shared/rest-enum.ts';

export const MarkerMembership = restEnum<EntityMarker['membership']>(
  'MarkerMembership',
  'Membership state of the user in the channel of a marker.',
  {
    member: 'Member who is not muted.',
    banned: 'Banned from the channel.',
    muted: 'Member who is currently muted.',
    'non-member': 'Former member, who left or was removed. Spelled `non-member` in REST.',
    deleted: 'The account of the user is deleted.',
  },
);
