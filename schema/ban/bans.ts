import { canSeeBans } from '../../src/access/user.ts';
import { viewerOf } from '../../src/context.ts';
import { canSeeChannelBans } from '../../src/domain/channel/moderation/list-channel-bans.ts';
import { canSeeCommunityBans } from '../../src/domain/community/members/list-community-bans.ts';
import { banQueryInput, listBans } from '../../src/domain/moderation/list-bans.ts';
import { hasBanEnded } from '../../src/store/ended-bans.ts';
import { builder } from '../builder.ts';
import { ChannelUser } from '../channel/channel-user.ts';
import { CommunityUser } from '../community/community-user.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { inputType } from '../shared/input-fields.ts';
import { User } from '../user/user.ts';
import { Ban, BanKindEnum } from './ban.ts';

const BanFilter = inputType('BanFilter', 'Which bans to list.', {
  schema: banQueryInput,
  types: { kind: BanKindEnum },
});

builder.queryField('bans', (t) =>
  t.connection(
    {
      type: Ban,
      description:
        'Bans in effect, last changed first, for users who may ban; empty for others. Users who may ban only in some communities or channels name one of them.',
      args: { filter: t.arg({ type: BanFilter, required: true, description: 'Which bans to list.' }) },
      resolve: async (_, { filter, ...args }, context) =>
        toConnection(await listBans(context, filter, pageRequest(args))),
    },
    connectionType(Ban, 'bans'),
  ),
);

builder.objectField(User, 'ban', (t) =>
  t.field({
    type: Ban,
    nullable: true,
    description: 'The ban from the network, for users who may ban; null if there is none.',
    resolve: (user, _, context) => {
      if (!user.isGlobalBan || hasBanEnded(user, context.hasPassed)) return null;
      return canSeeBans(viewerOf(context)) ? user : null;
    },
  }),
);

builder.objectField(CommunityUser, 'ban', (t) =>
  t.field({
    type: Ban,
    nullable: true,
    description: 'The ban from the community, for users who may ban there; null if there is none.',
    resolve: async (member, _, context) => {
      if (!member.isBanned || hasBanEnded(member, context.hasPassed)) return null;
      return (await canSeeCommunityBans(context, member.communityId)) ? member : null;
    },
  }),
);

builder.objectField(ChannelUser, 'ban', (t) =>
  t.field({
    type: Ban,
    nullable: true,
    description: 'The ban from the channel, for users who may ban there; null if there is none.',
    resolve: async (member, _, context) => {
      if (!member.isBanned || hasBanEnded(member, context.hasPassed)) return null;
      return (await canSeeChannelBans(context, member.channelId)) ? member : null;
    },
  }),
);
