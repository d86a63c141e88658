import { z } from 'zod';
import { ViewRestActivitiesDocument } from '../generated/documents.ts';
import { id, list, text } from '../params.ts';
import { route } from '../route.ts';

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
  summary: 'Tell which posts were seen.',
  params: z.object({ activities: list(activity, { min: 1, max: 100 }) }),
  document: ViewRestActivitiesDocument,
  variables: ({ activities }) => ({
    postIds: activities
      .filter(({ contentType, activityType }) => contentType === 'post' && (activityType ?? 'view') === 'view')
      .map(({ contentId }) => contentId),
  }),
  arrays: [],
  wrap: () => ({ success: true }),
  answerSchema: { type: 'object', properties: { success: { type: 'boolean' } }, required: ['success'] },
});
