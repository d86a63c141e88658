import { z } from 'zod';
import { NetworkSettingsDocument, SwitchRestWebhooksDocument } from '../../generated/documents.ts';
import { bool } from '../../params.ts';
import { type Route, route } from '../../route.ts';

type Settings = { chat: object; social: object; webhook: object };

const settings = (path: string, summary: string, pick: (settings: Settings) => object): Route =>
  route({
    method: 'GET',
    path: `/api/v3/network-settings/${path}`,
    section: 'legacy-facts §2.1',
    summary,
    params: z.object({}),
    document: NetworkSettingsDocument,
    variables: () => ({}),
    arrays: [],
    wrap: (body) => pick(body.networkSettings as Settings),
  });

export const networkSettings: Route[] = [
  settings('chat', 'Chat settings; login waits for them.', ({ chat }) => chat),
  settings('social', 'Settings of communities and feeds.', ({ social }) => ({ socialNetworkSetting: social })),
  settings('webhook', 'Whether webhooks are on.', ({ webhook }) => webhook),
  route({
    method: 'PUT',
    path: '/api/v3/network-settings/webhook',
    section: 'legacy-facts §4.1',
    summary: 'Switch webhooks on or off.',
    params: z
      .object({ enabled: bool().optional(), webhookEnabled: bool().optional() })
      .refine((given) => Object.values(given).some((value) => value !== undefined), 'enabled: true or false'),
    document: SwitchRestWebhooksDocument,
    variables: ({ enabled, webhookEnabled }) => ({ enabled: enabled ?? webhookEnabled ?? true }),
    arrays: [],
  }),
];
