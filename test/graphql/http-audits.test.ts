import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ SAMPLE_DATA: 'none' });
});
afterAll(() => gateway.close());

describe('GraphQL over HTTP', () => {
  for (const audit of serverAudits({ url: () => `${gateway.url}/graphql` })) {
    test(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      expect(
        result.status === 'ok'
          ? 'ok'
          : `${result.status}: ${result.reason} (${result.response.status} ${await result.response.text()})`,
      ).toBe('ok');
    });
  }
});
