import { getNetworkSettings } from '../../src/domain/network/get-network-settings.ts';
import { socialSettings } from '../../src/domain/network/social-settings.ts';
import { updateDeepLinks, updateDeepLinksInput } from '../../src/domain/network/update-deep-links.ts';
import {
  globalFeedInput,
  updateSocialSettings,
  updateSocialSettingsInput,
} from '../../src/domain/network/update-social-settings.ts';
import type { NetworkSettings } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';

const NetworkSettingsType = builder.objectRef<NetworkSettings>('NetworkSettings').implement({
  description: 'Settings of a network that clients read at login.',
  fields: (t) => ({
    chat: t.expose('chat', {
      type: 'JSONObject',
      description: 'Chat: `enabled`, `mention`, `messagePreview`, `marker`.',
    }),
    social: t.field({
      type: 'JSONObject',
      description:
        'Communities and feeds: `enabled`, `isAllowEditPostWhenReviewingEnabled`, `globalFeed`, `userPrivacySetting` (`public` or `private`), `isFollowWithRequestEnabled`.',
      resolve: socialSettings,
    }),
    webhook: t.expose('webhook', { type: 'JSONObject', description: 'Webhooks: `enabled`.' }),
    deepLinks: t.field({
      type: 'JSONObject',
      description:
        'Addresses that open records in the application: `domain` and `patterns` by name; empty until they are set.',
      resolve: ({ deepLinks }) => deepLinks ?? { domain: '', patterns: {} },
    }),
  }),
});

builder.queryField('networkSettings', (t) =>
  t.field({
    type: NetworkSettingsType,
    description: 'Settings of the network of the viewer.',
    resolve: (_, _args, context) => getNetworkSettings(context),
  }),
);

const UserPrivacySetting = restEnum('UserPrivacySetting', 'Who reads the feeds of users.', {
  public: 'Everybody in the network. A follow needs no approval. Default.',
  private: 'The user, their followers and moderators. Users approve their followers.',
});

const GlobalFeedInput = inputType('GlobalFeedInput', 'What the global feed contains.', { schema: globalFeedInput });

mutationField(
  'updateSocialSettings',
  inputOf(updateSocialSettingsInput, { userPrivacySetting: UserPrivacySetting, globalFeed: GlobalFeedInput }),
  {
    description:
      'Changes the settings of profiles and of the global feed, for users who edit and assign roles. Absent fields keep their value.',
    resolve: async (_, { input }, context) => ({ settings: await updateSocialSettings(context, input) }),
  },
  {
    outputFields: (t) => ({
      settings: t.expose('settings', { type: NetworkSettingsType, description: 'All settings of the network.' }),
    }),
  },
);

mutationField(
  'updateDeepLinks',
  inputOf(updateDeepLinksInput),
  {
    description: 'Sets the addresses that open records in the application, for users who edit and assign roles.',
    resolve: async (_, { input }, context) => ({ settings: await updateDeepLinks(context, input) }),
  },
  {
    outputFields: (t) => ({
      settings: t.expose('settings', { type: NetworkSettingsType, description: 'All settings of the network.' }),
    }),
  },
);
