import { z } from 'zod';
import type { JsonSchema } from '../../answer-schema.ts';
import { mutation, operation } from '../../documents.ts';
import { bool } from '../../params.ts';
import { type Route, route } from '../../route.ts';

type Settings = { chat: object; social: object; webhook: object; deepLinks: object };

const settings = (
  group: string,
  summary: string,
  pick: (settings: Settings) => object,
  answerSchema?: JsonSchema,
): Route =>
  route({
    method: 'GET',
    path: `/api/v3/network-settings/${group}`,
    reference: 'network-settings',
    summary,
    params: z.object({}),
    document: operation('NetworkSettings'),
    variables: () => ({}),
    arrays: [],
    wrap: (body) => pick(body.networkSettings as Settings),
    ...(answerSchema && { answerSchema }),
  });

/** Settings of features that this server does not have. Clients wait for an answer before they show other screens. */
const constant = (group: string, summary: string, answer: object): Route =>
  settings(group, summary, () => answer, { type: 'object', const: answer });

export const networkSettings = [
  settings('chat', 'Get the chat settings, for which published clients wait at login.', ({ chat }) => chat),
  settings('social', 'Get the settings of communities and feeds.', ({ social }) => ({ socialNetworkSetting: social })),
  settings('webhook', 'Get whether webhooks are enabled.', ({ webhook }) => webhook),
  settings(
    'shareable-deep-links',
    'Get the addresses that open records in the application.',
    ({ deepLinks }) => deepLinks,
  ),
  constant('feed-setting', 'Get limits on the content of feeds: there are none.', { feedSettings: [] }),
  constant('product', 'Get whether products are available: this server has none.', { product: { enabled: false } }),
  route({
    method: 'PUT',
    path: '/api/v3/network-settings/webhook',
    reference: 'network-settings',
    summary: 'Enable or disable webhooks.',
    // The interface accepts either name of the one parameter.
    params: z
      .object({ enabled: bool().optional(), webhookEnabled: bool().optional() })
      .refine((params) => Object.values(params).some((value) => value !== undefined), 'enabled: true or false'),
    document: mutation('switchWebhooks', 'enabled'),
    variables: ({ enabled, webhookEnabled }) => ({ input: { enabled: enabled ?? webhookEnabled ?? true } }),
    arrays: [],
  }),
];
