import { z } from 'zod';
import { NetworkSettingsDocument } from '../generated/documents.ts';
import { type Route, route } from '../route.ts';

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
];
