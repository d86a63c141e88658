import { clearStoryFlags } from '../../src/domain/story/flag-story.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from './story.ts';

mutationField(
  'clearStoryFlags',
  {
    description: 'Which story.',
    inputFields: (t) => ({ storyId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Takes all flags on a story back; for whoever manages stories there.',
    errors: {},
    resolve: async (_, { input }, context) => ({ story: await clearStoryFlags(context, input) }),
  },
  {
    description: 'The story without flags.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story without flags.' }) }),
  },
);
