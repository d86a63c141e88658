import { addChannelRole, removeChannelRole } from '../../src/domain/channel/members/change-roles.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Channel } from './channel.ts';
import { ChannelUser } from './channel-user.ts';

mutationField(
  'addChannelRole',
  {
    description: 'Which role, and whose.',
    inputFields: (t) => ({
      channelId: t.string({ required: true, description: 'Public id of the channel.' }),
      role: t.string({ required: true, description: 'Role id, 1 to 100 characters.' }),
      userIds: t.stringList({ required: true, description: '1 to 100 public ids of members.' }),
    }),
  },
  {
    description: 'Gives a role to members of a channel.',
    resolve: (_, { input }, context) => addChannelRole(context, input),
  },
  {
    description: 'The channel and the members as they are now.',
    outputFields: (t) => ({
      channel: t.expose('channel', { type: Channel, description: 'The channel.' }),
      channelUsers: t.expose('channelUsers', { type: [ChannelUser], description: 'The members that were named.' }),
    }),
  },
);

mutationField(
  'removeChannelRole',
  {
    description: 'Which role, and whose.',
    inputFields: (t) => ({
      channelId: t.string({ required: true, description: 'Public id of the channel.' }),
      role: t.string({ required: true, description: 'Role id, 1 to 100 characters.' }),
      userIds: t.stringList({ required: true, description: '1 to 100 public ids of members.' }),
    }),
  },
  {
    description: 'Takes a role from members of a channel.',
    resolve: (_, { input }, context) => removeChannelRole(context, input),
  },
  {
    description: 'The channel and the members as they are now.',
    outputFields: (t) => ({
      channel: t.expose('channel', { type: Channel, description: 'The channel.' }),
      channelUsers: t.expose('channelUsers', { type: [ChannelUser], description: 'The members that were named.' }),
    }),
  },
);
