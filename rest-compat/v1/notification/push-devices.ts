import { z } from 'zod';
import { forMutation, operationParams } from '../../operation-params.ts';
import { route } from '../../route.ts';

const shared = {
  path: '/v1/notification',
  reference: 'push-devices',
  arrays: [],
  wrap: () => ({ status: 'success' }),
  answerSchema: { type: 'object', properties: { status: { const: 'success' } }, required: ['status'] },
  open: true,
};

/** A published client sends an object in place of the id: `docs/interface.md#push-devices`. */
const withoutDevice = z.object({
  deviceId: operationParams('unregisterPushDevice').shape.deviceId.or(z.looseObject({}).transform(() => null)),
});

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
    params: withoutDevice,
    method: 'DELETE',
    summary: 'Remove the registration of a device for push notifications.',
  }),
];
