import { switchWebhooks } from '../../src/domain/network/switch-webhooks.ts';
import { mutationField } from '../shared/mutation-field.ts';

mutationField(
  'switchWebhooks',
  {
    description: 'On or off.',
    inputFields: (t) => ({
      enabled: t.boolean({ required: true, description: 'Whether what happens is told to webhooks.' }),
    }),
  },
  {
    description: 'Switches all webhooks of the network on or off. What was put in before is still sent.',
    errors: {},
    resolve: (_, { input }, context) => switchWebhooks(context, input),
  },
  {
    description: 'The setting as it is now.',
    outputFields: (t) => ({
      enabled: t.exposeBoolean('enabled', { description: 'Whether what happens is told to webhooks.' }),
    }),
  },
);
