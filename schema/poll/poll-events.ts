import type { PollRecord } from '../../src/store/records/media.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Poll } from './poll.ts';

eventType('poll', {
  about: 'a poll',
  fields: (t) => ({
    poll: t.field({ type: Poll, description: 'The poll.', resolve: fromPayload<PollRecord>('poll') }),
  }),
});
