import { addReaction } from '../../src/domain/reaction/add-reaction.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { reacted, reactionInputFields } from './reacted.ts';

mutationField(
  'addReaction',
  { description: 'What to react to, and how.', inputFields: reactionInputFields },
  {
    description:
      'Reacts to a post, comment, story or message. One reaction a user and name: once more changes nothing.',
    errors: {},
    resolve: (_, { input }, context) => addReaction(context, input),
  },
  { description: 'The reaction, and what it refers to.', outputFields: reacted },
);
