import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { start } from '../../src/start.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const SECRETS = { API_KEY: 'production-key', SERVER_KEY: 's'.repeat(32), TOKEN_SECRET: 't'.repeat(32) };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ NODE_ENV: 'production', ...SECRETS });
});
afterAll(() => gateway.close());

describe('in production', () => {
  test('generated secrets are refused, naming what to set', async () => {
    const config = readConfig({ NODE_ENV: 'production', API_KEY: SECRETS.API_KEY, DATA_DIR: '/nonexistent' });
    await expect(start(config)).rejects.toThrow(ConfigError);
    await expect(start(config)).rejects.toThrow('SERVER_KEY, TOKEN_SECRET');
  });

  test('introspection is off by every way in', async () => {
    for (const query of [
      '{ __schema { types { name } } }',
      '{ __type(name: "User") { name } }',
      '{ ...F } fragment F on Query { ... on Query { __schema { queryType { name } } } }',
    ]) {
      const { data, errors } = await gateway.graphql(query);
      expect(data ?? null).toBeNull();
      expect(errors).toHaveLength(1);
      const byGet = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`);
      expect(JSON.stringify(await byGet.json())).not.toContain('"types"');
    }
  });

  test('guessing words learns no name of the schema', async () => {
    for (const word of ['userIdd', 'emial', 'displayNam', 'viewerr']) {
      const { errors } = await gateway.graphql(`{ viewer { ${word} } ${word} }`);
      expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
    }
    const { errors } = await gateway.graphql('{ post(postIdd: "x") { postId } }');
    expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
  });

  test('a wrong variable does not tell what would be right', async () => {
    for (const [query, variables] of [
      ['mutation ($i: FlagPostInput!) { flagPost(input: $i) { __typename } }', { i: { postIdd: 'x', postId: 'x' } }],
      ['query ($s: PostSort) { contentFeed(sortBy: $s) { edges { cursor } } }', { s: 'LAST_CREATEDD' }],
    ] as const) {
      for (let time = 0; time < 3; time += 1) {
        const { errors } = await gateway.graphql(query, { variables });
        expect(errors?.length).toBeGreaterThan(0);
        expect(JSON.stringify(errors)).not.toMatch(/Did you mean/);
      }
    }
  });

  test('GraphiQL is not served', async () => {
    const response = await fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await response.text()).not.toContain('GraphiQL');
  });
});
