import { z } from 'zod';
import { ViewRestActivitiesDocument } from '../../generated/documents.ts';
import { id, list, text } from '../../params.ts';
import { route } from '../../route.ts';

/** What clients tell of what was looked at (legacy-facts §7); kinds that nobody counts here are let pass. */
const activity = z.object({
  contentType: text({ max: 100 }),
  contentId: id(),
  activityType: text({ max: 100 }).nullish(),
});

export const viewActivities = route({
  method: 'POST',
  path: '/api/v1/analytics/activities',
  section: 'legacy-facts §7',
  summary: 'Tell which posts and stories were seen.',
  params: z.object({ activities: list(activity, { min: 1, max: 100 }) }),
  document: ViewRestActivitiesDocument,
  variables: ({ activities }) => ({
    input: { postIds: seen(activities, 'post'), storyIds: seen(activities, 'story') },
  }),
  arrays: [],
  wrap: () => ({ success: true }),
  answerSchema: { type: 'object', properties: { success: { type: 'boolean' } }, required: ['success'] },
});

function seen(activities: ReadonlyArray<z.output<typeof activity>>, kind: string): string[] {
  return activities
    .filter(({ contentType, activityType }) => contentType === kind && (activityType ?? 'view') === 'view')
    .map(({ contentId }) => contentId);
}
