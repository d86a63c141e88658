import { type Row, rows } from './row.ts';

/** Communities and their members, requests to join. */
const COMMUNITIES = rows({
  community: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
    'a deleted one': '- . . . . . + . + .',
  },
  communities: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
  },
  communitiesByIds: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
  },
  recommendedCommunities: {
    'a public one': '- + . . . . . + + .',
    'a private one': '- . . . . . . + + .',
    'a private one that can be found, if requested': '- + . . . . . + + .',
  },
  trendingCommunities: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
    'a private one that can be found, if requested': '- + + + . + + + + .',
  },
  viewerCommunities: { 'those joined': '- . + + . + + . . .' },
  feed: {
    'the published one of a public community': '- + + + . + + + + .',
    'the reviewing one of a public community': '- . . . . . + + + .',
  },
  createCommunity: { 'a new one': '- + + + + + + + + +' },
  updateCommunity: {
    'a public one': '- - - - - - + + + .',
    'a private one': '- . - - . - + + + .',
  },
  deleteCommunity: {
    'a public one': '- - - - - - + - + .',
    'a private one': '- . - - . - + - + .',
  },
  joinCommunity: {
    'a public one': '- + + + - + + + + .',
    'a public one that approves its members': '- + + + - + + + + .',
    'a private one that can be found': '- + + + - + + + + .',
    'a private one that cannot be found': '- . + + . + + + + .',
  },
  leaveCommunity: {
    'a public one': '- + + + - + + + + .',
    'a private one': '- . + + . + + + + .',
  },
  addCommunityMembers: {
    'to a public community': '- - - - - - + + + .',
    'to a private community': '- . - - . - + + + .',
  },
  removeCommunityMembers: {
    'a member': '- - - - - - + + + .',
    'another moderator': '- - - - - - + + + .',
    'a super-moderator of the network': '- - - - - - - - + .',
    'a member of a private community': '- . - - . - + + + .',
  },
  banCommunityMembers: {
    'a member': '- - - - - - + + + .',
    'a super-moderator of the network': '- - - - - - - - + .',
  },
  unbanCommunityMembers: { 'a banned user': '- - - - - - + + + .' },
  addCommunityRoles: {
    '`community-moderator`': '- - - - - - + + + .',
    '`super-moderator`': '- - - - - - - - + .',
  },
  removeCommunityRoles: { '`community-moderator`': '- - - - - - + + + .' },
  approveJoinRequest: {
    'in a public community': '- - - - - - + + + .',
    'in a private community': '- . - - . - + + + .',
  },
  rejectJoinRequest: {
    'in a public community': '- - - - - - + + + .',
    'in a private community': '- . - - . - + + + .',
  },
  cancelJoinRequest: { 'that of `outsider`': '- + . . . . . . . .' },
  joinRequest: { 'that of `outsider`': '- + . . . . + + + .' },
  viewerJoinRequest: { 'that of `outsider`': '- + . . . . . . . .' },
  viewerJoinRequests: { 'of `outsider`': '- + . . . . . . . .' },
});

/** Users, their roles in the network, sessions, and fields of no single resource. */
const USERS = rows({
  user: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . + + .',
  },
  users: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . + + .',
  },
  usersByIds: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . + + .',
  },
  viewer: { oneself: '- + + + + + + + + +' },
  isUserFlagged: { 'of a live one': '- + + + + + + + + .' },
  updateUser: {
    'one’s own profile': '- + + + + + + + + +',
    'another user’s profile': '- - - - - - - + + .',
  },
  flagUser: {
    another: '- + + + + + + + + .',
    oneself: '- - - - - - - - - -',
  },
  blockUser: {
    another: '- + + + + + + + + .',
    oneself: '- - - - - - - - - -',
  },
  unblockUser: { another: '- + + + + + + + + .' },
  viewerBlockedUserCount: { 'one’s own': '- + + + + + + + + +' },
  viewerBlockedUsers: { 'of `author`': '- . . . . + . . . .' },
  followUser: {
    another: '- + + + + + + + + .',
    oneself: '- - - - - - - - - -',
  },
  unfollowUser: { 'one who is followed': '- + + + + + + + + .' },
  acceptFollower: { 'one with a request': '- + + + + + + + + .' },
  removeFollower: { 'a follower': '- + + + + + + + + .' },
  unflagUser: { another: '- + + + + + + + + .' },
  clearUserFlags: { 'of another': '- - - - - - - + + .' },
  banUser: {
    another: '- - - - - - - + + .',
    'a super-moderator': '- - - - - - - - + .',
  },
  unbanUser: { 'a banned user': '- - - - - - - + + .' },
  deleteUser: { another: '- - - - - - - - + .' },
  eraseUser: {
    'a live one': '- - - - - - - - + .',
    'a deleted one': '- - - - - - - - + .',
  },
  exportUser: {
    'one’s own': '- + + + + + + + + +',
    'of another': '- - - - - - - - + .',
  },
  userErasure: { 'of another': '- - - - - - - - + .' },
  addUserRoles: { '`moderator`': '- - - - - - - - + .' },
  removeUserRoles: { '`moderator`': '- - - - - - - - + .' },
  assignNetworkRoles: {
    'with the server key': '+ + + + + + + + + +',
    'without it': '- - - - - - - - - -',
  },
  createSession: {
    'with the API key': '+ + + + + + + + + +',
    'without it': '- - - - - - - - - -',
  },
  createVisitorSession: {
    'with the API key': '+ + + + + + + + + +',
    'without it': '- - - - - - - - - -',
  },
  mintAuthToken: {
    'with the server key': '+ + + + + + + + + +',
    'without it': '- - - - - - - - - -',
  },
  registerPushDevice: {
    'with the API key': '+ + + + + + + + + +',
    'without it': '- - - - - - - - - -',
  },
  unregisterPushDevice: {
    'with the API key': '+ + + + + + + + + +',
    'without it': '- - - - - - - - - -',
  },
  revokeSession: { 'one’s own': '- + + + + + + + + +' },
  revokeSessions: {
    'one’s own': '- + + + + + + + + +',
    'of another': '- - - - - - - + + .',
    'of a super-moderator': '- - - - - - - - + .',
  },
  userSessions: {
    'those of `author`': '- - - - - + - + + .',
    'of another': '- - - - - - - + + .',
    'of a super-moderator': '- - - - - - - - + .',
  },
  revokeAllSessions: { 'those of one’s network': '- - - - - - - - + +' },
  consumeLoginLink: {
    'with the token of a link': '+ + + + + + + + + +',
    'with a token that was used': '- - - - - - - - - -',
  },
  exchangeLoginCode: {
    'with the code of a sign-in': '+ + + + + + + + + +',
    'with a code that was used': '- - - - - - - - - -',
  },
  refreshSession: {
    'with the refresh token of a session': '+ + + + + + + + + +',
    'with a refresh token that was reused': '- - - - - - - - - -',
  },
  eventCursor: { 'that of one’s network': '- + + + + + + + + +' },
  rateLimits: { 'one’s own': '+ + + + + + + + + +' },
  networkSettings: { 'those of one’s network': '- + + + + + + + + +' },
  serverStatus: { 'that of the server': '- - - - - - - - + +' },
  checkText: { 'with the rules of one’s network': '- - - - - - - - + +' },
  contentRules: { 'those of one’s network': '- - - - - - - - + +' },
  updateContentRules: { 'those of one’s network': '- - - - - - - - + +' },
  linkPreview: { 'of a public page': '- + + + + + + + + +' },
  verifyContent: { 'of one’s network': '- + + + + + + + + +' },
  updateNetworkSettings: { 'those of one’s network': '- - - - - - - - + +' },
  updateDeepLinks: { 'those of one’s network': '- - - - - - - - + +' },
  updateSocialSettings: { 'those of one’s network': '- - - - - - - - + +' },
  networkKeys: { 'those of one’s network': '- - - - - - - - + +' },
  createKey: { 'for one’s network': '- - - - - - - - + +' },
  renameKey: { 'of the network': '- - - - - - - - + .' },
  rotateKey: { 'of the network': '- - - - - - - - + .' },
  retireKey: { 'of the network': '- - - - - - - - + .' },
  node: {
    'a public community': '- + + + + + + + + .',
    'a private community': '- . + + . + + + + .',
  },
  nodes: {
    'a public community': '- + + + + + + + + .',
    'a private community': '- . + + . + + + + .',
  },
});

const FILES = rows({
  uploadFiles: { 'a new one': '- + + + + + + + + +' },
  file: { 'that of `author`': '- + + + + + + + + .' },
  viewerFiles: { 'of `author`': '- . . . . + . . . .' },
  updateFile: { 'that of `author`': '- - - - - + - + + .' },
  deleteFile: { 'that of `author`': '- - - - - + - + + .' },
});

/** Roles and categories. */
const REFERENCE = rows({
  role: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . . + .',
  },
  roles: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . . + .',
  },
  createRole: { 'within one’s own rank': '- - - - - - - - + +' },
  updateRole: { 'within one’s own rank': '- - - - - - - - + .' },
  deleteRole: { 'within one’s own rank': '- - - - - - - - + .' },
  category: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . . + .',
  },
  categories: {
    'a live one': '- + + + + + + + + .',
    'a deleted one': '- . . . . . . . + .',
  },
  createCategory: { 'a new one': '- - - - - - - - + +' },
  updateCategory: { 'a live one': '- - - - - - - - + .' },
  deleteCategory: { 'a live one': '- - - - - - - - + .' },
});

/** Users, sessions, roles, files, categories, communities and their members, join requests. */
export const PEOPLE: readonly Row[] = [...COMMUNITIES, ...USERS, ...REFERENCE, ...FILES];
