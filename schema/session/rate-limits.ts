import { findQuotas } from '../../src/domain/session/find-quotas.ts';
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
  credential: 'Invalid tokens and keys, counted for the client address.',
});

const RateSubjectType = restEnum<Quota['countedFor']>('RateSubject', 'A client that operations are counted for.', {
  user: 'The user of the session.',
  address: 'The client address; of IPv6 its /64 network.',
  apiKey: 'The API key, for all addresses together.',
  serverKey: 'The server key, for all addresses together.',
});

const RateLimitType = builder.objectRef<Quota>('RateLimit').implement({
  description: 'What is left of a rate limit.',
  fields: (t) => ({
    class: t.field({ type: RateClassType, description: 'The operations that count.', resolve: ({ name }) => name }),
    countedFor: t.field({
      type: RateSubjectType,
      description: 'The client that they count for.',
      resolve: ({ countedFor }) => countedFor,
    }),
    limit: t.exposeInt('limit', { description: `Operations per ${RATE_SECONDS} seconds.` }),
    remaining: t.exposeInt('remaining', { description: 'Operations that are left, after this one.' }),
    resetsIn: t.exposeInt('resetSeconds', { description: 'Seconds until the count starts again.' }),
  }),
});

builder.queryField('rateLimits', (t) =>
  t.field({
    type: [RateLimitType],
    description:
      'The rate limits that count operations of the caller, of all gateway processes: for the user of the session, the client address, and the keys that the request carries; empty when they are off. RATE_LIMITED answers an operation beyond its limit; UNAUTHORIZED this query with an invalid key.',
    resolve: (_, _args, context) => findQuotas(context),
  }),
);
