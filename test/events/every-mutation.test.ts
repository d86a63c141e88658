import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { CONTENT_ROWS } from './rows/content.ts';
import { PEOPLE_AND_CHAT_ROWS } from './rows/people-and-chat.ts';

const ENDPOINT = 'Where events are delivered is for administrators, who ask for it.';

/** Mutations without a row, and why. */
const WITHOUT_ROW: { [mutation: string]: string } = {
  createSession: 'Needs the key of the network: people-and-chat-operations.test.ts asks it.',
  mintAuthToken: 'As createSession. A token is given to its bearer alone, and nothing is stored.',
  revokeSession: 'Would end the session that rows ask with. Sessions are for their own user; nobody is told of them.',
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

test('every mutation has a row that says what it appends, or a reason why it has none', () => {
  const rows = new Set([...CONTENT_ROWS, ...PEOPLE_AND_CHAT_ROWS].map(({ operation }) => operation));
  const known = [...rows, ...Object.keys(WITHOUT_ROW)].sort();
  expect(known).toEqual(Object.keys(schema.getMutationType()!.getFields()).sort());
});
