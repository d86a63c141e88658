import type { Migration } from './migration.ts';

/**
 * Deliveries refer to bodies in `webhookBodies`. Existing deliveries keep the body that they contain; the version prevents
 * a start of earlier releases, which would drop deliveries without one.
 */
export const sharedWebhookBodies: Migration = {
  version: 12,
  name: 'bodies of webhook deliveries stored once per event',
  run: async () => undefined,
};
