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
  description: 'A community or user with stories.',
  fields: (t) => ({
    targetType: t.field({ type: StoryTargetType, required: true, description: 'Kind of target.' }),
    targetId: t.string({ required: true, description: 'Public id of the community or user.' }),
  }),
});

const TARGETS = `Communities and users, 1 to ${MAX_TARGETS}.`;

builder.queryFields((t) => ({
  storiesOfTargets: t.field({
    type: [Story],
    description: `Unexpired stories of several communities and users, by default newest first, at most ${MAX_STORIES}. Targets that the viewer cannot see are omitted.`,
    args: {
      targets: t.arg({ type: [StoryTargetInput], required: true, description: TARGETS }),
      oldestFirst: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to list the oldest first.',
      }),
    },
    resolve: (_, args, context) => storiesOfTargets(context, args),
  }),
  storyTargetsByIds: t.field({
    type: [StoryTarget],
    description:
      'Story targets of communities and users, in the order of the input. Targets that never had a story or that the viewer cannot see are omitted.',
    args: { targets: t.arg({ type: [StoryTargetInput], required: true, description: TARGETS }) },
    resolve: (_, args, context) => storyTargetsByIds(context, args),
  }),
}));
