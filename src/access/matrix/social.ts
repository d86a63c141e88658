import { type Row, rows } from './row.ts';

/** Posts, comments, reactions, stories, polls. */
export const SOCIAL: readonly Row[] = rows({
  addReaction: {
    'a post in a public community': '- + + + . + + + + .',
    'a post in a private community': '- . + + . + + + + .',
    'a message in a public channel': '- - + + . + + - - .',
    'a message in a private channel': '- . + + . + + - - .',
  },
  removeReaction: {
    'one’s own, on a post in a public community': '- + + + . + + + + .',
  },
});
