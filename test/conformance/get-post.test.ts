import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test('a post comes with every array of the interface', async () => {
  const { status, body } = await gateway.rest('/api/v3/posts/seedlings');
  expect(status).toBe(200);
  console.log(JSON.stringify(body).slice(0,1500), Object.entries(body).map(([k,v])=>k+':'+(v as unknown[]).length).join(' '));
  expect(body.posts).toHaveLength(1);
  expect(body.comments).toHaveLength(10);
});
test('budget', async () => {
  console.log(await gateway.commandsOf(() => gateway.rest('/api/v3/posts/seedlings')));
  console.log(await gateway.commandsOf(() => gateway.rest('/api/v3/posts/seedlings')));
  console.log((await gateway.commandsOf(() => Promise.all(Array.from({length: 32}, () => gateway.rest('/api/v3/posts/seedlings'))))).length);
  console.log(await gateway.rest('/api/v3/posts/none'), await gateway.rest('/api/v3/posts/seedlings', {as: null}));
  console.log(JSON.stringify(await gateway.graphql('{viewer{userId} post(postId:"seedlings"){id latestComments{author{displayName}}}}')).slice(0,500));
  console.log(JSON.stringify(await gateway.graphql('{viewer{userIdd} }')).slice(0,500));
});
