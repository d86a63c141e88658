import {
  registerPushDevice,
  registerPushDeviceInput,
  unregisterPushDevice,
  unregisterPushDeviceInput,
} from '../../src/domain/session/push-devices.ts';
import { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { restEnum } from '../shared/rest-enum.ts';

const PushPlatform = restEnum('PushPlatform', 'Platform of a device that receives push notifications.', {
  ios: 'iOS.',
  android: 'Android.',
});

builder.relayMutationField(
  'registerPushDevice',
  {
    description: 'Input of `registerPushDevice`. The `X-API-Key` header names the network.',
    ...inputOf(registerPushDeviceInput, { platform: PushPlatform }),
  },
  {
    description:
      'Registers a device for the push notifications of a user, who must have a session on it. Replaces its earlier registration. The gateway stores registrations; it does not send push notifications yet.',
    errors: {},
    resolve: async (_, { input }, context) => {
      await registerPushDevice(context, input);
      return { success: true };
    },
  },
  {
    description: 'Result of `registerPushDevice`.',
    outputFields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
  },
);

builder.relayMutationField(
  'unregisterPushDevice',
  {
    description: 'Input of `unregisterPushDevice`. The `X-API-Key` header names the network.',
    ...inputOf(unregisterPushDeviceInput),
  },
  {
    description: 'Removes the registration of a device for push notifications, if there is one.',
    errors: {},
    resolve: async (_, { input }, context) => {
      await unregisterPushDevice(context, input);
      return { success: true };
    },
  },
  {
    description: 'Result of `unregisterPushDevice`.',
    outputFields: (t) => ({ success: t.exposeBoolean('success', { description: 'Always true.' }) }),
  },
);
