/** Permission names, as published clients know them, see `docs/reference/permissions.md`. */
export const PERMISSIONS = [
  'MUTE_CHANNEL',
  'CLOSE_CHANNEL',
  'EDIT_CHANNEL',
  'EDIT_CHANNEL_RATELIMIT',
  'EDIT_MESSAGE',
  'DELETE_MESSAGE',
  'BAN_USER_FROM_CHANNEL',
  'MUTE_USER_INSIDE_CHANNEL',
  'ADD_CHANNEL_USER',
  'REMOVE_CHANNEL_USER',
  'EDIT_CHANNEL_USER',
  'ASSIGN_CHANNEL_USER_ROLE',
  'MUTE_CHANNEL_USER',
  'BAN_CHANNEL_USER',
  'BAN_USER',
  'EDIT_USER',
  'ASSIGN_USER_ROLE',
  'EDIT_USER_FEED_POST',
  'DELETE_USER_FEED_POST',
  'EDIT_USER_FEED_COMMENT',
  'DELETE_USER_FEED_COMMENT',
  'ADD_COMMUNITY_USER',
  'REMOVE_COMMUNITY_USER',
  'EDIT_COMMUNITY_USER',
  'BAN_COMMUNITY_USER',
  'MUTE_COMMUNITY_USER',
  'EDIT_COMMUNITY',
  'DELETE_COMMUNITY',
  'EDIT_COMMUNITY_POST',
  'DELETE_COMMUNITY_POST',
  'PIN_COMMUNITY_POST',
  'CREATE_PRIVILEGED_POST',
  'EDIT_COMMUNITY_COMMENT',
  'DELETE_COMMUNITY_COMMENT',
  'ASSIGN_COMMUNITY_USER_ROLE',
  'CREATE_COMMUNITY_CATEGORY',
  'EDIT_COMMUNITY_CATEGORY',
  'DELETE_COMMUNITY_CATEGORY',
  'CREATE_ROLE',
  'EDIT_ROLE',
  'DELETE_ROLE',
  'MANAGE_COMMUNITY_STORY',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

const COMMUNITY_MODERATION: Permission[] = [
  'ADD_COMMUNITY_USER',
  'REMOVE_COMMUNITY_USER',
  'EDIT_COMMUNITY_USER',
  'BAN_COMMUNITY_USER',
  'MUTE_COMMUNITY_USER',
  'EDIT_COMMUNITY',
  'DELETE_COMMUNITY',
  'EDIT_COMMUNITY_POST',
  'DELETE_COMMUNITY_POST',
  'PIN_COMMUNITY_POST',
  'CREATE_PRIVILEGED_POST',
  'EDIT_COMMUNITY_COMMENT',
  'DELETE_COMMUNITY_COMMENT',
  'ASSIGN_COMMUNITY_USER_ROLE',
  'MANAGE_COMMUNITY_STORY',
];

const CHANNEL_MODERATION: Permission[] = [
  'MUTE_CHANNEL',
  'CLOSE_CHANNEL',
  'EDIT_CHANNEL',
  'EDIT_CHANNEL_RATELIMIT',
  'EDIT_MESSAGE',
  'DELETE_MESSAGE',
  'BAN_USER_FROM_CHANNEL',
  'MUTE_USER_INSIDE_CHANNEL',
  'ADD_CHANNEL_USER',
  'REMOVE_CHANNEL_USER',
  'EDIT_CHANNEL_USER',
  'ASSIGN_CHANNEL_USER_ROLE',
  'MUTE_CHANNEL_USER',
  'BAN_CHANNEL_USER',
];

const USER_MODERATION: Permission[] = [
  'BAN_USER',
  'EDIT_USER',
  'EDIT_USER_FEED_POST',
  'DELETE_USER_FEED_POST',
  'EDIT_USER_FEED_COMMENT',
  'DELETE_USER_FEED_COMMENT',
];

/** A role of every new network. Holders of CREATE_ROLE can create further roles. */
export interface DefaultRole {
  roleId: string;
  displayName: string;
  /** Users can only assign roles up to their own highest rank. */
  rank: number;
  permissions: Permission[];
}

export const DEFAULT_ROLES: readonly DefaultRole[] = [
  { roleId: 'global-admin', displayName: 'Global admin', rank: 100, permissions: [...PERMISSIONS] },
  {
    roleId: 'super-moderator',
    displayName: 'Super moderator',
    rank: 80,
    permissions: [...USER_MODERATION, ...COMMUNITY_MODERATION, ...CHANNEL_MODERATION],
  },
  {
    roleId: 'moderator',
    displayName: 'Moderator',
    rank: 60,
    permissions: [...USER_MODERATION, ...COMMUNITY_MODERATION, ...CHANNEL_MODERATION].filter(
      (permission) => permission !== 'DELETE_COMMUNITY',
    ),
  },
  { roleId: 'community-moderator', displayName: 'Community moderator', rank: 40, permissions: COMMUNITY_MODERATION },
  { roleId: 'channel-moderator', displayName: 'Channel moderator', rank: 40, permissions: CHANNEL_MODERATION },
  { roleId: 'member', displayName: 'Member', rank: 0, permissions: [] },
];
