import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ CACHE_MB: '0' });
  await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

test('an upload of one file takes as many commands as one of ten: at most 8', async () => {
  const query = 'mutation ($input: UploadFilesInput!) { uploadFiles(input: $input) { __typename } }';
  const commandsOf = (count: number) =>
    gateway.commandsOf(async () => {
      const files = Array.from({ length: count }, (_, index) => new File([`Note ${index}`], 'note.txt'));
      const { data } = await gateway.graphql(query, { variables: { input: { files } } });
      expect(data).toEqual({ uploadFiles: { __typename: 'UploadFilesPayload' } });
    });
  await commandsOf(1);
  const one = await commandsOf(1);
  const ten = await commandsOf(10);
  expect(ten.length, ten.join(' ')).toBe(one.length);
  expect(one.length, one.join(' ')).toBeLessThanOrEqual(8);
});
