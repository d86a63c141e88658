import { clearStoryFlags, flagStory, unflagStory } from '../../src/domain/story/flag-story.ts';
import { flagStoryInput, storyIdInput } from '../../src/domain/story/story-input.ts';
import { FlagReason } from '../shared/flag-reason.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { Story } from './story.ts';

mutationField(
  'flagStory',
  inputOf(flagStoryInput, { reason: FlagReason }),
  {
    description:
      'Flags a story for the users who manage stories there. A user has at most one flag on a story; flagging it again changes the reason.',
    resolve: async (_, { input }, context) => ({ story: await flagStory(context, input) }),
    ...causes('story.flagged'),
  },
  { outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The flagged story.' }) }) },
);

mutationField(
  'unflagStory',
  inputOf(storyIdInput),
  {
    description: 'Withdraws the flag of the viewer on a story. Does nothing if there is none.',
    resolve: async (_, { input }, context) => ({ story: await unflagStory(context, input) }),
    ...causes('story.unflagged'),
  },
  { outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story without the flag.' }) }) },
);

mutationField(
  'clearStoryFlags',
  inputOf(storyIdInput),
  {
    description: 'Removes all flags from a story. Allowed for users with the permission to manage stories there.',
    resolve: async (_, { input }, context) => ({ story: await clearStoryFlags(context, input) }),
    ...causes('story.flagsCleared'),
  },
  { outputFields: (t) => ({ story: t.expose('story', { type: Story, description: 'The story without flags.' }) }) },
);
