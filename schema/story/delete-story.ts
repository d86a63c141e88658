import { deleteStory } from '../../src/domain/story/delete-story.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from './story.ts';

mutationField(
  'deleteStory',
  {
    description: 'Which story.',
    inputFields: (t) => ({
      storyId: t.string({ required: true, description: 'Public id.' }),
      permanent: t.boolean({
        description: 'Whether what it showed is erased for good; for whoever manages stories there.',
      }),
    }),
  },
  {
    description: 'Deletes a story: its creator does, and whoever manages stories there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ story: await deleteStory(context, input) }),
  },
  {
    description: 'The deleted story.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The deleted story.' }) }),
  },
);
