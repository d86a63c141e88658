import { canDeleteStory, canManageStories, refusalToStory } from '../../src/access/story.ts';
import { viewerOf } from '../../src/context.ts';
import { acceptsComments } from '../../src/domain/story/commented-story.ts';
import { isStoryFlaggedByViewer } from '../../src/domain/story/flag-story.ts';
import { placeOfStory } from '../../src/domain/story/get-story.ts';
import { seenOfTarget } from '../../src/domain/story/story-target.ts';
import { builder } from '../builder.ts';
import { Community } from '../community/community.ts';
import { Story } from './story.ts';

builder.objectFields(Story, (t) => ({
  isFlaggedByViewer: t.boolean({
    description: 'Whether the viewer has flagged it.',
    resolve: (story, _, context) => isStoryFlaggedByViewer(context, story),
  }),
  isSeenByViewer: t.boolean({
    description: 'Whether the viewer has seen it; false for expired stories.',
    resolve: async (story, _, context) =>
      (await seenOfTarget(context, story))?.storyIds.includes(story.storyId) ?? false,
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete it.',
    resolve: async (story, _, context) =>
      !story.isDeleted && canDeleteStory(viewerOf(context), story, await placeOfStory(context, story)),
  }),
  viewerCanComment: t.boolean({
    description: 'Whether the viewer can comment on it: it has not expired, and its community allows comments.',
    resolve: async (story, _, context) =>
      !story.isDeleted && !context.hasPassed(story.expiresAt) && (await acceptsComments(context, story)),
  }),
  viewerCanModerate: t.boolean({
    description: 'Whether the viewer can manage stories there: clear flags and delete stories of other users.',
    resolve: async (story, _, context) => canManageStories(viewerOf(context), await placeOfStory(context, story)),
  }),
}));

builder.objectField(Community, 'viewerCanCreateStory', (t) =>
  t.boolean({
    description: 'Whether the viewer can publish stories in the community.',
    resolve: async ({ communityId: targetId, isDeleted }, _, context) => {
      const membership = await context.load.communityUsers.load([targetId, viewerOf(context).userId]);
      return !isDeleted && !refusalToStory(viewerOf(context), { place: { membership }, targetId });
    },
  }),
);
