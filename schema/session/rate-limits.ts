import { viewerOf } from '../../src/context.ts';
import { RATE_SECONDS } from '../../src/limits/rates/rate-classes.ts';
import type { Quota } from '../../src/limits/rates/rate-limits.ts';
import { builder } from '../builder.ts';
import { restEnum } from '../shared/rest-enum.ts';

const RateClassType = restEnum<Quota['name']>('RateClass', 'A class of operations that has a rate limit of its own.', {
  read: 'Queries and subscriptions.',
  search: 'Searches and link previews.',
  write: 'Mutations that are in no other class.',
  report: 'Flags of content and users.',
  upload: 'Uploads.',
  signIn: 'New sessions, counted for the client address.',
  mint: 'New auth tokens, counted for the client address and the server key.',
  apiKey: 'New sessions, counted for the API key.',
  download: 'Downloads of files; those of public files are counted for the client address.',
  export: 'Exports of the data of a person.',
  invalid: 'Invalid documents and failed connections.',
});

const RateLimitType = builder.objectRef<Quota>('RateLimit').implement({
  description: 'What is left of a rate limit.',
  fields: (t) => ({
    class: t.field({ type: RateClassType, description: 'The operations that count.', resolve: ({ name }) => name }),
    limit: t.exposeInt('limit', { description: `Operations per ${RATE_SECONDS} seconds.` }),
    remaining: t.exposeInt('remaining', { description: 'Operations that are left, after this one.' }),
    resetsIn: t.exposeInt('resetSeconds', { description: 'Seconds until the count starts again.' }),
  }),
});

builder.queryField('rateLimits', (t) =>
  t.field({
    type: [RateLimitType],
    description:
      'The rate limits that count operations for the viewer, of all gateway processes; empty when they are off. RATE_LIMITED answers an operation beyond its limit.',
    resolve: async (_, _args, context) => {
      const viewer = viewerOf(context);
      return (await context.rateLimits?.quotasOf(viewer)) ?? [];
    },
  }),
);
