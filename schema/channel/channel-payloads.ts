import type { ChannelWithMembers } from '../../src/domain/channel/new-channel.ts';
import type { ChannelRecord } from '../../src/store/records/chat.ts';
import type { SchemaTypes } from '../builder.ts';
import { Channel } from './channel.ts';
import { ChannelUser } from './channel-user.ts';

type Fields<Parent> = PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Parent>;

/** Result of mutations of a channel itself. */
export const CHANNEL_PAYLOAD = {
  outputFields: (t: Fields<{ channel: ChannelRecord }>) => ({
    channel: t.expose('channel', { type: Channel, description: 'The channel after the change.' }),
  }),
};

/** Result of mutations of the users of a channel. */
export const MEMBERS_PAYLOAD = {
  outputFields: (t: Fields<ChannelWithMembers>) => ({
    channel: t.expose('channel', { type: Channel, description: 'The channel after the change.' }),
    channelUsers: t.expose('channelUsers', {
      type: [ChannelUser],
      description: 'The memberships of the users in the input, after the change.',
    }),
  }),
};
