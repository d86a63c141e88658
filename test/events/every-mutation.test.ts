import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { CONTENT_CASES } from './cases/content.ts';
import { PEOPLE_AND_CHAT_CASES } from './cases/people-and-chat.ts';

const ENDPOINT = 'Administrators read webhook endpoints by query; changes of them are not events.';

const KEYS = 'Only administrators read the keys; changes of them are not events.';

/** Mutations without a case, and why. */
const WITHOUT_CASE: { [mutation: string]: string } = {
  updateContentRules: 'Only administrators read the rules; changes of them are not events.',
  updateNetworkSettings: 'Clients read the settings at login; changes of them are not events.',
  updateDeepLinks: 'Clients read the settings at login; changes of them are not events.',
  updateSocialSettings: 'Clients read the settings at login; changes of them are not events.',
  createKey: KEYS,
  renameKey: KEYS,
  rotateKey: KEYS,
  retireKey: KEYS,
  createSession: 'Needs the key of the network: tested in people-and-chat-operations.test.ts.',
  createVisitorSession: 'Needs the key of the network. Sessions cause no events, and visitors have no account.',
  mintAuthToken: 'Needs a key too. Returns a token and stores nothing.',
  registerPushDevice: 'Needs the key of the network. Registrations are no events.',
  unregisterPushDevice: 'Needs the key of the network. Registrations are no events.',
  revokeSession: 'Would end the session that the cases use. Sessions cause no events.',
  revokeSessions: 'Sessions cause no events.',
  revokeAllSessions: 'Sessions cause no events.',
  refreshSession: 'Needs a refresh token. Sessions cause no events.',
  consumeLoginLink: 'Needs the token of a link. Sessions cause no events.',
  exchangeLoginCode: 'Needs the code of a sign-in. Sessions cause no events.',
  exportUser: 'Changes nothing that others see.',
  createWebhookEndpoint: ENDPOINT,
  updateWebhookEndpoint: ENDPOINT,
  deleteWebhookEndpoint: ENDPOINT,
  enableWebhookEndpoint: ENDPOINT,
  disableWebhookEndpoint: ENDPOINT,
  rotateWebhookSecret: ENDPOINT,
  sendTestPing: ENDPOINT,
  switchWebhooks: ENDPOINT,
  replayWebhookDelivery: ENDPOINT,
  replayWebhookEvents: ENDPOINT,
};

test('every mutation has a case that states its events, or a reason to have none', () => {
  const operations = new Set([...CONTENT_CASES, ...PEOPLE_AND_CHAT_CASES].map(({ operation }) => operation));
  const known = [...operations, ...Object.keys(WITHOUT_CASE)].sort();
  expect(known).toEqual(Object.keys(schema.getMutationType()!.getFields()).sort());
});
