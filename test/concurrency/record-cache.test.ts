import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { freshDatabaseName } from '../support/store.ts';
import { openDatabase } from '../support/two-gateways.ts';

let database: Awaited<ReturnType<typeof openDatabase>>;
let first: TestGateway;
let second: TestGateway;
beforeAll(async () => {
  database = await openDatabase();
  const env = {
    MONGODB_URI: database.uri,
    CACHE_MB: '8',
    API_KEY: 'api-key-of-both',
    SERVER_KEY: 'server-key-of-both-gateways',
    TOKEN_SECRET: 'a-secret-that-both-gateways-have-in-common',
  };
  const options = { databaseName: freshDatabaseName() };
  first = await startTestGateway(env, options);
  second = await startTestGateway({ ...env, SAMPLE_DATA: 'none' }, options);
  for (const { services } of [first, second]) {
    await first.rest('/api/v3/posts/grafting', { as: 'carol' });
    await second.rest('/api/v3/posts/grafting', { as: 'carol' });
    await vi.waitFor(() => expect(services.store.records!.status().isOpen).toBe(true), { timeout: 10_000 });
  }
});
afterAll(async () => {
  await second.close();
  await first.close();
  await database.close();
});

const ROUNDS = process.env.MONGODB_URI ? 3 : 8;
const COMMUNITY = '/api/v3/communities/orchard-keepers';

test('a ban and its end apply immediately through the other gateway', async () => {
  const body = { userIds: ['carol'] };
  const read = (gateway: TestGateway) => gateway.rest('/api/v3/posts/grafting', { as: 'carol' });
  const call = async (path: string, method: string) =>
    expect((await second.rest(`${COMMUNITY}${path}`, { as: 'frank', method, body })).status).toBe(200);
  for (let round = 0; round < ROUNDS; round += 1) {
    expect((await read(first)).status).toBe(200);
    expect((await read(first)).status).toBe(200);
    await call('/users/ban', 'PUT');
    expect((await read(first)).status).not.toBe(200);
    expect((await read(second)).status).not.toBe(200);
    await call('/users/unban', 'PUT');
    expect((await read(first)).status).not.toBe(200);
    await call('/users', 'POST');
    expect((await read(first)).status).toBe(200);
  }
  expect(first.services.store.records!.status().records).toBeGreaterThan(0);
});

function textIn({ posts }: { posts: Array<{ postId: string; data: { text: string } }> }): string | undefined {
  return posts.find(({ postId }) => postId === 'tomatoes')?.data.text;
}

test('an edit is visible immediately through both gateways, and to the operation that made it', async () => {
  const textOf = async (gateway: TestGateway) =>
    textIn((await gateway.rest('/api/v3/posts/tomatoes', { as: 'bob' })).body);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first];
    const text = `Edit ${round}`;
    const author = (await writer.services.store.collections.posts.findOne({
      networkId: 'default',
      postId: 'tomatoes',
    }))!.postedUserId;
    const call = { as: author, method: 'PUT', body: { data: { text } } };
    const edited = await writer.rest('/api/v4/posts/tomatoes', call);
    expect(edited.status).toBe(200);
    expect(textIn(edited.body)).toBe(text);
    expect(await textOf(reader)).toBe(text);
    expect(await textOf(writer)).toBe(text);
  }
});

test('a session that was revoked through one gateway is rejected by the other', async () => {
  const token = await first.tokenOf('grace');
  const headers = { authorization: `Bearer ${token}` };
  expect((await first.rest('/api/v3/posts/grafting', { as: null, headers })).status).toBe(200);
  const { sessions } = second.services.store.collections;
  await sessions.updateMany({ networkId: 'default', userId: 'grace' }, { $set: { revokedAt: new Date() } });
  expect((await first.rest('/api/v3/posts/grafting', { as: null, headers })).status).toBe(401);
});
