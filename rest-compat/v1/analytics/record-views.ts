import { z } from 'zod';
import { mutation } from '../../documents.ts';
import { id, list, text } from '../../params.ts';
import { route } from '../../route.ts';

/**
 * Clients report views as one kind of activity, whereas the operation expects lists of ids. Other activities are
 * accepted and ignored.
 */
const activity = z.object({
  contentType: text({ max: 100 }),
  contentId: id(),
  activityType: text({ max: 100 }).nullish(),
});

export const recordViews = route({
  method: 'POST',
  path: '/api/v1/analytics/activities',
  reference: 'views',
  summary: 'Record views of posts and stories.',
  params: z.object({ activities: list(activity, { min: 1, max: 100 }) }),
  document: mutation('recordViews', 'postIds storyIds'),
  variables: ({ activities }) => ({
    input: { postIds: viewedIds(activities, 'post'), storyIds: viewedIds(activities, 'story') },
  }),
  arrays: [],
  wrap: () => ({ success: true }),
  answerSchema: { type: 'object', properties: { success: { type: 'boolean' } }, required: ['success'] },
});

function viewedIds(activities: ReadonlyArray<z.output<typeof activity>>, viewedType: string): string[] {
  return activities
    .filter(({ contentType, activityType }) => contentType === viewedType && (activityType ?? 'view') === 'view')
    .map(({ contentId }) => contentId);
}
