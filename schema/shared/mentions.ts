import { mention } from '../../src/domain/user/lookup/mentioned-users.ts';
import { inputType } from './input-fields.ts';
import { restEnum } from './rest-enum.ts';

const MentionInputType = restEnum('MentionInputType', 'Kind of mention accepted in a post, comment or story.', {
  user: 'A mention of the users in `userIds`.',
});

/** Mentions in the input of posts, comments and stories. */
export const MentionInput = inputType('MentionInput', 'A group of mentioned users.', {
  schema: mention,
  types: { type: MentionInputType },
});
