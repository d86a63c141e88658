import type { ChannelWithMembers } from '../../src/domain/channel/new-channel.ts';
import type { ChannelRecord } from '../../src/store/records/chat.ts';
import type { SchemaTypes } from '../builder.ts';
import { Channel } from './channel.ts';
import { ChannelUser } from './channel-user.ts';

type Fields<Parent> = PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, Parent>;

/** What a mutation of a channel itself answers. */
export const CHANNEL_PAYLOAD = {
  description: 'The channel as it is now.',
  outputFields: (t: Fields<{ channel: ChannelRecord }>) => ({
    channel: t.expose('channel', { type: Channel, description: 'The channel.' }),
  }),
};

/** What a mutation of members answers. */
export const MEMBERS_PAYLOAD = {
  description: 'The channel and the users as they are now.',
  outputFields: (t: Fields<ChannelWithMembers>) => ({
    channel: t.expose('channel', { type: Channel, description: 'The channel.' }),
    channelUsers: t.expose('channelUsers', { type: [ChannelUser], description: 'How these users stand to it.' }),
  }),
};
