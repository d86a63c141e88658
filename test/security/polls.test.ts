import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { expectServing } from './attacked-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
});
afterAll(() => gateway.close());
afterEach(() => expectServing(gateway));

const EVENT = '/realtime/post.updated';

describe('a poll for events', () => {
  test.each([
    'after[$ne]=x',
    'after[$gt]=',
    'topic[$regex]=^a',
    'topic[]=a&topic[]=b',
    'wait[$gt]=0',
    'wait=1e9',
    'wait=-1',
    `after=${'x'.repeat(1_101)}`,
    `topic=${'x'.repeat(901)}`,
  ])('rejects %.40s and names the parameter', async (query) => {
    const { status, body } = await gateway.rest(`${EVENT}?${query}`);
    expect([status, body.code]).toEqual([422, 500000]);
    expect(body.data.detail[0]).toMatch(/^(after|topic|wait)/);
  });

  test.each(['after=nonsense', `after=${'0'.repeat(24)}`, 'after=__proto__', 'topic=%23/a'])(
    'rejects the crafted %s',
    async (query) => {
      const { status, body } = await gateway.rest(`${EVENT}?${query}`);
      expect([400, 410, 422]).toContain(status);
      expect(JSON.stringify(body)).not.toMatch(/node_modules|Mongo|lmdb/);
    },
  );

  test('ignores debugging parameters and treats patterns in topics as text', async () => {
    for (const query of ['explain=true&debug=1', 'topic=(a)*$', 'topic=__proto__', 'topic=constructor/%2B']) {
      expect([200, 204]).toContain((await gateway.rest(`${EVENT}?${query}`)).status);
    }
  });

  test('rejects crafted cursors of webhook pulls', async () => {
    const headers = { authorization: `Bearer ${gateway.keys.SERVER_KEY}` };
    for (const query of ['after=nonsense', `after=${'0'.repeat(24)}`, 'after[$ne]=x', `after=${'x'.repeat(1_101)}`]) {
      const { status } = await gateway.rest(`/webhook/v3.post.didUpdate?${query}`, { as: null, headers });
      expect([query, [400, 410, 422].includes(status)]).toEqual([query, true]);
    }
  });

  test('requires an access token for polls, and the server key for webhook pulls', async () => {
    expect((await gateway.rest(EVENT, { as: null })).status).toBe(401);
    const pull = '/webhook/v3.post.didUpdate';
    for (const headers of [
      {},
      { authorization: `Bearer ${gateway.keys.API_KEY}` },
      { 'x-api-key': gateway.keys.API_KEY },
    ]) {
      expect((await gateway.rest(pull, { as: null, headers })).status).toBe(401);
    }
    expect((await gateway.rest(pull, { as: 'alice' })).status).toBe(401);
  });
});
