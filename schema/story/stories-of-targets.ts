import {
  MAX_STORIES,
  MAX_TARGETS,
  storiesOfTargets,
  storyTargetsByIds,
} from '../../src/domain/story/stories-of-targets.ts';
import { builder } from '../builder.ts';
import { Story, StoryTargetType } from './story.ts';
import { StoryTarget } from './story-target.ts';

const StoryTargetInput = builder.inputType('StoryTargetInput', {
  description: 'A community or user that shows stories.',
  fields: (t) => ({
    targetType: t.field({ type: StoryTargetType, required: true, description: 'Which of the two.' }),
    targetId: t.string({ required: true, description: 'Public id.' }),
  }),
});

const TARGETS = `Communities and users, 1 to ${MAX_TARGETS}.`;

builder.queryFields((t) => ({
  storiesOfTargets: t.field({
    type: [Story],
    description: `The live stories of several communities and users, newest first, ${MAX_STORIES} at most; those of what is not to be seen are left out.`,
    args: {
      targets: t.arg({ type: [StoryTargetInput], required: true, description: TARGETS }),
      oldestFirst: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'The oldest first, rather than the newest.',
      }),
    },
    resolve: (_, args, context) => storiesOfTargets(context, args),
  }),
  storyTargetsByIds: t.field({
    type: [StoryTarget],
    description:
      'What several communities and users last showed and the viewer saw of it, in the order asked; one that never had a story, or is not to be seen, is left out.',
    args: { targets: t.arg({ type: [StoryTargetInput], required: true, description: TARGETS }) },
    resolve: (_, args, context) => storyTargetsByIds(context, args),
  }),
}));
