import { z } from 'zod';
import { operation } from '../../documents.ts';
import { route } from '../../route.ts';

/** This server has no ads; clients load them before they show a feed. */
const NO_ADS = {
  ads: [],
  advertisers: [],
  files: [],
  settings: { enabled: false, maxActiveAds: 0, frequency: {}, updatedAt: null },
};

export const listAds = route({
  method: 'GET',
  path: '/api/v1/ads/me',
  reference: 'ads',
  summary: 'List ads: this server has none.',
  params: z.object({}),
  document: operation('ListAds'),
  variables: () => ({}),
  arrays: [],
  wrap: () => NO_ADS,
  answerSchema: {
    type: 'object',
    required: ['ads', 'advertisers', 'files', 'settings'],
    properties: {
      ads: { type: 'array', maxItems: 0 },
      advertisers: { type: 'array', maxItems: 0 },
      files: { type: 'array', maxItems: 0 },
      settings: { const: NO_ADS.settings },
    },
  },
});
