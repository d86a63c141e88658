import { rotateWebhookSecret } from '../../src/domain/webhook/change-endpoint.ts';
import { mutationField } from '../shared/mutation-field.ts';
import { secretPayload } from './endpoint-changes.ts';

mutationField(
  'rotateWebhookSecret',
  {
    description: 'Which endpoint, and how long the old secret stays.',
    inputFields: (t) => ({
      endpointId: t.string({ required: true, description: 'Public id.' }),
      keepHours: t.int({
        description: 'Hours for which deliveries are signed with the old secret too: 0 to 168, 24 unless told.',
      }),
    }),
  },
  {
    description:
      'Makes a new secret. Until the old one ends deliveries carry a signature of each, so that the receiver can change over.',
    errors: {},
    resolve: async (_, { input }, context) => ({ endpoint: await rotateWebhookSecret(context, input) }),
  },
  secretPayload,
);
