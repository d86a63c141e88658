import { type Row, rows } from './row.ts';

/** Of what is inside a community. */
const INSIDE_COMMUNITY = {
  'of a public community': '- + + + . + + + + .',
  'of a private community': '- . + + . + + + + .',
};
/** The banned are told so, for they see the channel's record. */
const INSIDE_CHANNEL = {
  'of a public channel': '- + + + - + + + + .',
  'of a private channel': '- . + + . + + + + .',
};
/** Of what is absent itself when the channel is not to be seen inside. */
const OF_MESSAGES = {
  'in a public channel': '- + + + . + + + + .',
  'in a private channel': '- . + + . + + + + .',
};

/** Lists that have a path of their own over REST, and over GraphQL hang on the record they are of. */
export const LISTS: readonly Row[] = rows({
  'Community.members': INSIDE_COMMUNITY,
  'Community.pins': INSIDE_COMMUNITY,
  'Community.joinRequests': {
    'of a public community': '- . . . . . + + + .',
    'of a private community': '- . . . . . + + + .',
  },
  'Channel.members': INSIDE_CHANNEL,
  'Channel.messageFeeds': INSIDE_CHANNEL,
  'MessageFeed.messages': OF_MESSAGES,
  'Message.readUsers': OF_MESSAGES,
  'Message.deliveredUsers': OF_MESSAGES,
});
