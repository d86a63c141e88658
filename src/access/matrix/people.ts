import { type Row, rows } from './row.ts';

/** Communities and their members, requests to join. */
const COMMUNITIES = rows({
  community: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
    'a deleted one': '- . . . . . . . + .',
  },
  communities: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
  },
  communitiesByIds: {
    'a public one': '- + + + + + + + + .',
    'a private one': '- . + + . + + + + .',
  },
  viewerCommunities: { 'those joined': '- . + + . + + . . .' },
  feed: {
    'the published one of a public community': '- + + + . + + + + .',
    'the reviewing one of a public community': '- . . . . . + + + .',
  },
  createCommunity: { 'one of one’s own': '- + + + + + + + + +' },
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
  unbanCommunityMembers: { 'somebody banned': '- - - - - - + + + .' },
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

/** Users, sessions, roles, files, categories, communities and their members, join requests. */
export const PEOPLE: readonly Row[] = [...COMMUNITIES];
