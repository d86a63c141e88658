import type { JoinRequestRecord } from '../../src/store/records/community.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { JoinRequest } from './join-request.ts';

eventType('joinRequest', {
  about: 'a join request',
  fields: (t) => ({
    joinRequest: t.field({
      type: JoinRequest,
      description: 'The request.',
      resolve: fromPayload<JoinRequestRecord>('joinRequest'),
    }),
  }),
});
