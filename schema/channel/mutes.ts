import { isMutedNow } from '../../src/access/channel.ts';
import { getChannel } from '../../src/domain/channel/get-channel.ts';
import { canSeeMutes, listMutes, muteQueryInput } from '../../src/domain/channel/moderation/list-mutes.ts';
import type { ChannelUserRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { inputType } from '../shared/input-fields.ts';
import { loadUser, User } from '../user/user.ts';
import { Channel } from './channel.ts';
import { ChannelUser } from './channel-user.ts';

/** The muted membership. */
const Mute = builder.objectRef<ChannelUserRecord>('Mute').implement({
  description:
    'A mute of a member of a channel, in effect. Visible to users who may mute there. The terms are null on mutes of releases that did not store them.',
});

builder.objectFields(Mute, (t) => ({
  userId: t.exposeString('userId', { description: 'Public id of the muted user.' }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'The muted user.',
    resolve: ({ userId }, _, context) => loadUser(context, userId),
  }),
  channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
  channel: t.field({
    type: Channel,
    nullable: true,
    description: 'The channel.',
    resolve: ({ channelId }, _, context) => getChannel(context, { channelId }),
  }),
  reason: t.string({
    nullable: true,
    description: 'Reason that the moderator gave.',
    resolve: ({ mute }) => mute?.reason,
  }),
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the mute ends by itself; null for never.',
    resolve: ({ muteTimeout }) => muteTimeout,
  }),
  mutedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the user was last muted.',
    resolve: ({ mute }) => mute?.mutedAt,
  }),
  mutedBy: t.field({
    type: User,
    nullable: true,
    description: 'The user who muted.',
    resolve: ({ mute }, _, context) => loadUser(context, mute?.mutedBy ?? null),
  }),
}));

const MuteFilter = inputType('MuteFilter', 'Which mutes to list; all by default.', { schema: muteQueryInput });

builder.queryField('mutes', (t) =>
  t.connection(
    {
      type: Mute,
      description:
        'Mutes of members in effect: those without end, then by their end, latest first. For users who may mute; empty for others. Users who may mute only in some channels name one.',
      args: { filter: t.arg({ type: MuteFilter, description: 'Which mutes to list.' }) },
      resolve: async (_, { filter, ...args }, context) =>
        toConnection(await listMutes(context, filter ?? {}, pageRequest(args))),
    },
    connectionType(Mute, 'mutes'),
  ),
);

builder.objectField(ChannelUser, 'mute', (t) =>
  t.field({
    type: Mute,
    nullable: true,
    description: 'The mute, for users who may mute there; null if there is none.',
    resolve: async (member, _, context) => {
      if (!isMutedNow(member, context.hasPassed)) return null;
      return (await canSeeMutes(context, member.channelId)) ? member : null;
    },
  }),
);
