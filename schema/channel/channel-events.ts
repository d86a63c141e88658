import type { ChannelRecord, ChannelUserRecord } from '../../src/store/records/chat.ts';
import { eventType, fromPayload } from '../event/event-type.ts';
import { Channel } from './channel.ts';
import { ChannelUser } from './channel-user.ts';

eventType('channel', {
  about: 'a channel',
  fields: (t) => ({
    channel: t.field({ type: Channel, description: 'The channel.', resolve: fromPayload<ChannelRecord>('channel') }),
  }),
});

eventType('channelUsers', {
  about: 'the members of a channel',
  fields: (t) => ({
    channel: t.field({ type: Channel, description: 'The channel.', resolve: fromPayload<ChannelRecord>('channel') }),
    channelUsers: t.field({
      type: [ChannelUser],
      description: 'The changed memberships.',
      resolve: fromPayload<ChannelUserRecord[]>('channelUsers'),
    }),
  }),
});
