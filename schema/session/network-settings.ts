import { getNetworkSettings } from '../../src/domain/network/get-network-settings.ts';
import type { NetworkSettings } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';

const NetworkSettingsType = builder.objectRef<NetworkSettings>('NetworkSettings').implement({
  description: 'Settings of a network that clients read at login.',
  fields: (t) => ({
    chat: t.expose('chat', {
      type: 'JSONObject',
      description: 'Chat: `enabled`, `mention`, `messagePreview`, `marker`.',
    }),
    social: t.expose('social', {
      type: 'JSONObject',
      description: 'Communities and feeds: `enabled`, `isAllowEditPostWhenReviewingEnabled`, `globalFeed`.',
    }),
    webhook: t.expose('webhook', { type: 'JSONObject', description: 'Webhooks: `enabled`.' }),
  }),
});

builder.queryField('networkSettings', (t) =>
  t.field({
    type: NetworkSettingsType,
    description: 'Settings of the network of the viewer.',
    resolve: (_, _args, context) => getNetworkSettings(context),
  }),
);
