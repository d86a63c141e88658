import { type Row, rows } from './row.ts';

/** Lists of a community's content. */
const INSIDE_COMMUNITY = {
  'of a public community': '- + + + . + + + + .',
  'of a private community': '- . + + . + + + + .',
};
/** Lists of a channel. Banned users get an error instead of an absent list, because they see the channel's record. */
const INSIDE_CHANNEL = {
  'of a public channel': '- + + + - + + + + .',
  'of a private channel': '- . + + . + + + + .',
};
/** Lists of records that are themselves absent for users who do not see the content of the channel. */
const OF_MESSAGES = {
  'in a public channel': '- + + + . + + + + .',
  'in a private channel': '- . + + . + + + + .',
};

/** Lists with their own path in REST that are fields of a record in GraphQL. */
export const LISTS: readonly Row[] = rows({
  'Community.members': INSIDE_COMMUNITY,
  'Community.pins': INSIDE_COMMUNITY,
  'Community.joinRequests': {
    'of a public community': '- . . . . . + + + .',
    'of a private community': '- . . . . . + + + .',
  },
  'User.followers': { 'of `author`': '- + + + + + + + + .' },
  'User.following': { 'of `author`': '- + + + + + + + + .' },
  'User.channels': { 'of `author`': '- . . . . + . . . .' },
  'User.communities': { 'of `author`': '- . . . . + . . . .' },
  'Channel.members': INSIDE_CHANNEL,
  'Channel.messages': INSIDE_CHANNEL,
  'Channel.messageFeeds': INSIDE_CHANNEL,
  'MessageFeed.messages': OF_MESSAGES,
  'Message.readUsers': OF_MESSAGES,
  'Message.deliveredUsers': OF_MESSAGES,
});
