import { markStorySeen } from '../../src/domain/view/record-views.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from './story.ts';

mutationField(
  'markStorySeen',
  {
    description: 'Which story.',
    inputFields: (t) => ({ storyId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Notes that the viewer saw a story: an impression each time, reach the first time.',
    errors: {},
    resolve: async (_, { input }, context) => ({ story: await markStorySeen(context, input) }),
  },
  {
    description: 'The story that was seen.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story that was seen.' }) }),
  },
);
