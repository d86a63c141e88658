import { getChannel } from '../../src/domain/channel/get-channel.ts';
import { getCommunity } from '../../src/domain/community/get-community.ts';
import type { BanKind } from '../../src/domain/moderation/list-bans.ts';
import type { Bannable } from '../../src/store/ended-bans.ts';
import { builder } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { Community } from '../community/community.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const BanKindEnum = restEnum<BanKind>('BanKind', 'From what a user is banned.', {
  network: 'From the network: the user cannot sign in.',
  community: 'From a community: the user cannot join it or see its content.',
  channel: 'From a channel: the user cannot join it or see its messages and members.',
});

/** The banned user or membership. */
export const Ban = builder.objectRef<Bannable>('Ban').implement({
  description:
    'A ban in effect. Visible to users who may ban there. The terms are null on bans of releases that did not store them.',
});

const termsOf = ({ ban }: Bannable) => ban ?? null;
const communityIdOf = (banned: Bannable) => ('communityId' in banned ? banned.communityId : null);
const channelIdOf = (banned: Bannable) => ('membership' in banned ? banned.channelId : null);

builder.objectFields(Ban, (t) => ({
  kind: t.field({
    type: BanKindEnum,
    description: 'From what the user is banned.',
    resolve: (banned): BanKind =>
      communityIdOf(banned) !== null ? 'community' : channelIdOf(banned) !== null ? 'channel' : 'network',
  }),
  userId: t.exposeString('userId', { description: 'Public id of the banned user.' }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'The banned user.',
    resolve: (banned, _, context) => loadUser(context, banned.userId),
  }),
  communityId: t.string({
    nullable: true,
    description: 'Public id of the community; null for other kinds.',
    resolve: communityIdOf,
  }),
  community: t.field({
    type: Community,
    nullable: true,
    description: 'The community; null for other kinds.',
    resolve: (banned, _, context) => {
      const communityId = communityIdOf(banned);
      return communityId === null ? null : getCommunity(context, { communityId });
    },
  }),
  channelId: t.string({
    nullable: true,
    description: 'Public id of the channel; null for other kinds.',
    resolve: channelIdOf,
  }),
  channel: t.field({
    type: Channel,
    nullable: true,
    description: 'The channel; null for other kinds.',
    resolve: (banned, _, context) => {
      const channelId = channelIdOf(banned);
      return channelId === null ? null : getChannel(context, { channelId });
    },
  }),
  reason: t.string({
    nullable: true,
    description: 'Reason that the moderator gave.',
    resolve: (banned) => termsOf(banned)?.reason,
  }),
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the ban ends by itself; null for never.',
    resolve: (banned) => termsOf(banned)?.expiresAt,
  }),
  bannedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the user was banned, or the terms last changed.',
    resolve: (banned) => termsOf(banned)?.bannedAt,
  }),
  bannedBy: t.field({
    type: User,
    nullable: true,
    description: 'The user who banned.',
    resolve: (banned, _, context) => loadUser(context, termsOf(banned)?.bannedBy ?? null),
  }),
}));
