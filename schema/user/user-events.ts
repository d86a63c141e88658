import type { UserRecord } from '../../src/store/records/user.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { User } from './user.ts';

eventType('user', {
  about: 'a user',
  fields: (t) => ({
    user: t.field({ type: User, description: 'The user.', resolve: fromPayload<UserRecord>('user') }),
  }),
});
