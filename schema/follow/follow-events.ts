import type { Follow as FollowOfUsers } from '../../src/domain/user/follows/follow.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Follow } from './follow.ts';

eventType('follow', {
  about: 'a follow',
  fields: (t) => ({
    follow: t.field({
      type: Follow,
      description: 'The follow, as it was after the change.',
      resolve: fromPayload<FollowOfUsers>('follow'),
    }),
  }),
});
