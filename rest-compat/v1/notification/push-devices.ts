import { forMutation } from '../../operation-params.ts';
import { route } from '../../route.ts';

const shared = {
  path: '/v1/notification',
  reference: 'push-devices',
  arrays: [],
  wrap: () => ({ status: 'success' }),
  answerSchema: { type: 'object', properties: { status: { const: 'success' } }, required: ['status'] },
  open: true,
};

export const pushDevices = [
  route({
    ...shared,
    ...forMutation('registerPushDevice', 'success'),
    method: 'POST',
    summary: 'Register a device for the push notifications of a user who has a session on it.',
  }),
  route({
    ...shared,
    ...forMutation('unregisterPushDevice', 'success'),
    method: 'DELETE',
    summary: 'Remove the registration of a device for push notifications.',
  }),
];
