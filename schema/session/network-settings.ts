import { getNetworkSettings } from '../../src/domain/network/get-network-settings.ts';
import {
  chatSettingsInput,
  deepLinkSettingsInput,
  globalFeedInput,
  markerSettingsInput,
  mentionSettingsInput,
  messagePreviewSettingsInput,
  socialSettingsInput,
  updateNetworkSettingsInput,
  updateSocialSettingsInput,
  webhookSettingsInput,
} from '../../src/domain/network/network-settings-input.ts';
import type { ReadableSettings } from '../../src/domain/network/readable-settings.ts';
import { updateDeepLinks, updateDeepLinksInput } from '../../src/domain/settings/update-deep-links.ts';
import { updateNetworkSettings } from '../../src/domain/settings/update-network-settings.ts';
import { updateSocialSettings } from '../../src/domain/settings/update-social-settings.ts';
import type { SchemaTypes } from '../builder.ts';
import { builder } from '../builder.ts';
import { inputOf, inputType } from '../shared/input-fields.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { restEnum } from '../shared/rest-enum.ts';

const NetworkSettingsType = builder.objectRef<ReadableSettings>('NetworkSettings').implement({
  description: 'Settings of a network that clients read at login.',
  fields: (t) => ({
    chat: t.expose('chat', {
      type: 'JSONObject',
      description: 'Chat: `enabled`, `mention`, `messagePreview`, `marker`.',
    }),
    social: t.expose('social', {
      type: 'JSONObject',
      description:
        'Communities and feeds: `enabled`, `isAllowEditPostWhenReviewingEnabled`, `globalFeed`, `userPrivacySetting` (`public` or `private`), `isFollowWithRequestEnabled`.',
    }),
    webhook: t.expose('webhook', { type: 'JSONObject', description: 'Webhooks: `enabled`.' }),
    deepLinks: t.expose('deepLinks', {
      type: 'JSONObject',
      description:
        'Addresses that open records in the application: `domain` and `patterns` by name; empty until they are set.',
    }),
    createsUnknownUsers: t.exposeBoolean('createsUnknownUsers', {
      description: 'Whether a sign-in creates a user who does not exist yet.',
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

const SETTINGS_PAYLOAD = {
  outputFields: (
    t: PothosSchemaTypes.ObjectFieldBuilder<
      PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
      { settings: ReadableSettings }
    >,
  ) => ({
    settings: t.expose('settings', { type: NetworkSettingsType, description: 'All settings of the network.' }),
  }),
};

const UserPrivacySetting = restEnum('UserPrivacySetting', 'Who reads the feeds of users.', {
  public: 'Everybody in the network. A follow needs no approval. Default.',
  private: 'The user, their followers and moderators. Users approve their followers.',
});

const GlobalFeedInput = inputType('GlobalFeedInput', 'What the global feed contains.', { schema: globalFeedInput });

const SOCIAL_TYPES = { userPrivacySetting: UserPrivacySetting, globalFeed: GlobalFeedInput };

const ChatSettingsInput = inputType('ChatSettingsInput', 'Settings of chat.', {
  schema: chatSettingsInput,
  types: {
    mention: inputType('MentionSettingsInput', 'Which mentions messages can contain.', {
      schema: mentionSettingsInput,
    }),
    messagePreview: inputType('MessagePreviewSettingsInput', 'The newest message in lists of channels.', {
      schema: messagePreviewSettingsInput,
    }),
    marker: inputType('MarkerSettingsInput', 'Read positions.', { schema: markerSettingsInput }),
  },
});

mutationField(
  'updateNetworkSettings',
  inputOf(updateNetworkSettingsInput, {
    chat: ChatSettingsInput,
    social: inputType('SocialSettingsInput', 'Settings of profiles, communities and feeds.', {
      schema: socialSettingsInput,
      types: SOCIAL_TYPES,
    }),
    webhook: inputType('WebhookSettingsInput', 'Settings of webhooks.', { schema: webhookSettingsInput }),
    deepLinks: inputType('DeepLinkSettingsInput', 'Addresses that open records in the application.', {
      schema: deepLinkSettingsInput,
    }),
  }),
  {
    description:
      'Changes settings of the network, for users who edit and assign roles. Absent fields and null keep their value. The audit log contains the earlier and the new values; every process applies them within two seconds.',
    resolve: async (_, { input }, context) => ({ settings: await updateNetworkSettings(context, input) }),
  },
  SETTINGS_PAYLOAD,
);

mutationField(
  'updateSocialSettings',
  inputOf(updateSocialSettingsInput, SOCIAL_TYPES),
  {
    description:
      'Changes the settings of profiles and of the global feed, for users who edit and assign roles. Absent fields keep their value.',
    resolve: async (_, { input }, context) => ({ settings: await updateSocialSettings(context, input) }),
  },
  SETTINGS_PAYLOAD,
);

mutationField(
  'updateDeepLinks',
  inputOf(updateDeepLinksInput),
  {
    description: 'Sets the addresses that open records in the application, for users who edit and assign roles.',
    resolve: async (_, { input }, context) => ({ settings: await updateDeepLinks(context, input) }),
  },
  SETTINGS_PAYLOAD,
);
