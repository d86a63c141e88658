import type { RoleRecord } from '../../src/store/records/user.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Role } from './role.ts';

eventType('role', {
  about: 'a role',
  fields: (t) => ({
    role: t.field({ type: Role, description: 'The role.', resolve: fromPayload<RoleRecord>('role') }),
  }),
});
