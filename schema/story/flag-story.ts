import { flagStory } from '../../src/domain/story/flag-story.ts';
import { FlagReason } from '../flag/flag-reason.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { Story } from './story.ts';

mutationField(
  'flagStory',
  {
    description: 'Which story.',
    inputFields: (t) => ({
      storyId: t.string({ required: true, description: 'Public id.' }),
      reason: t.field({ type: FlagReason, description: 'Why; `OTHERS` unless told.' }),
      detail: t.string({ description: 'Why in words, at most 300 characters.' }),
    }),
  },
  {
    description: 'Tells those who manage stories of a story. One flag a user: a repeat changes the reason.',
    errors: {},
    resolve: async (_, { input }, context) => ({ story: await flagStory(context, input) }),
  },
  {
    description: 'The flagged story.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The flagged story.' }) }),
  },
);
