import { unflagStory } from '../../src/domain/story/flag-story.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from './story.ts';

mutationField(
  'unflagStory',
  {
    description: 'Which story.',
    inputFields: (t) => ({ storyId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's flag back; without one nothing happens.",
    errors: {},
    resolve: async (_, { input }, context) => ({ story: await unflagStory(context, input) }),
  },
  {
    description: 'The story without the flag.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story without the flag.' }) }),
  },
);
