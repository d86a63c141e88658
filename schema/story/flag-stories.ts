import { clearStoryFlags, flagStory, unflagStory } from '../../src/domain/story/flag-story.ts';
import { FlagReason } from '../shared/flag-reason.ts';
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
    resolve: async (_, { input }, context) => ({ story: await flagStory(context, input) }),
  },
  {
    description: 'The flagged story.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The flagged story.' }) }),
  },
);

mutationField(
  'unflagStory',
  {
    description: 'Which story.',
    inputFields: (t) => ({ storyId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: "Takes the viewer's flag back; without one nothing happens.",
    resolve: async (_, { input }, context) => ({ story: await unflagStory(context, input) }),
  },
  {
    description: 'The story without the flag.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story without the flag.' }) }),
  },
);

mutationField(
  'clearStoryFlags',
  {
    description: 'Which story.',
    inputFields: (t) => ({ storyId: t.string({ required: true, description: 'Public id.' }) }),
  },
  {
    description: 'Takes all flags on a story back; for whoever manages stories there.',
    resolve: async (_, { input }, context) => ({ story: await clearStoryFlags(context, input) }),
  },
  {
    description: 'The story without flags.',
    outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story without flags.' }) }),
  },
);
