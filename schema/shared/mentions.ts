import { builder } from '../builder.ts';
import { restEnum } from './rest-enum.ts';

const MentionInputType = restEnum('MentionInputType', 'Kind of mention accepted in a post, comment or story.', {
  user: 'A mention of the users in `userIds`.',
});

/** Mentions in the input of posts, comments and stories. */
export const MentionInput = builder.inputType('MentionInput', {
  description: 'A group of mentioned users.',
  fields: (t) => ({
    type: t.field({
      type: MentionInputType,
      defaultValue: 'user',
      description: 'Kind of mention; `USER` is the only one.',
    }),
    userIds: t.stringList({
      required: true,
      description: 'Public ids of the users; at most 30 in all groups of a record together.',
    }),
  }),
});
