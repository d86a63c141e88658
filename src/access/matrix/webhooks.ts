import { type Row, rows } from './row.ts';

const OF_THE_NETWORK = { 'of the network': '- . . . . . . . + .' };

/** Webhook endpoints and deliveries: absent for users who do not manage webhooks. */
export const WEBHOOKS: readonly Row[] = rows({
  webhookEndpoint: OF_THE_NETWORK,
  webhookEndpoints: OF_THE_NETWORK,
  webhookDelivery: OF_THE_NETWORK,
  switchWebhooks: { 'on or off': '- - - - - - - - + +' },
  createWebhookEndpoint: { 'a new one': '- - - - - - - - + +' },
  updateWebhookEndpoint: OF_THE_NETWORK,
  deleteWebhookEndpoint: OF_THE_NETWORK,
  enableWebhookEndpoint: OF_THE_NETWORK,
  disableWebhookEndpoint: OF_THE_NETWORK,
  rotateWebhookSecret: OF_THE_NETWORK,
  sendTestPing: OF_THE_NETWORK,
  replayWebhookDelivery: OF_THE_NETWORK,
  replayWebhookEvents: OF_THE_NETWORK,
});
