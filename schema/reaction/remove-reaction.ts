import { removeReaction } from '../../src/domain/reaction/remove-reaction.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { reacted, reactionInputFields } from './reacted.ts';

mutationField(
  'removeReaction',
  { description: 'Which of the viewer’s reactions.', inputFields: reactionInputFields },
  {
    description: 'Takes a reaction of the viewer back.',
    errors: {},
    resolve: (_, { input }, context) => removeReaction(context, input),
  },
  { description: 'The reaction that went, and what it referred to.', outputFields: reacted },
);
