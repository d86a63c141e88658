import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHAT } from '../support/chat-sample.ts';
import { findInconsistencies } from '../support/consistency.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { ask } from '../support/mutate.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  expect(await findInconsistencies(gateway.services.store.db)).toEqual([]);
  await gateway.close();
});

const path = '/api/v2/reactions';
const call = (method: string, body: object, as = 'bob') => gateway.rest(path, { as, method, body });

test.each([
  ['post', 'seedlings'],
  ['comment', 'tomatoes-carol'],
  ['story', 'morning-dew'],
  ['message', CHAT.message('who-waters')],
])('adds a reaction to a %s once, lists it, and removes it by body or query', async (referenceType, referenceId) => {
  const reaction = { referenceType, referenceId, reactionName: '__proto__', referenceVersion: 5 };
  const { addedId } = (await call('POST', reaction)).body;
  expect(addedId).toMatch(/^[0-9a-f]{24}$/);
  expect((await call('POST', reaction)).body).toEqual({ addedId });
  const query = `referenceType=${referenceType}&referenceId=${referenceId}&reactionName=__proto__`;
  const found = await gateway.rest(`/api/v3/reactions?${query}&options[limit]=5`, { as: 'alice' });
  expect(found.body.reactions).toMatchObject([
    {
      referenceType,
      referenceId,
      reactors: [{ reactionId: addedId, reactionName: '__proto__', userPublicIdId: 'bob' }],
    },
  ]);
  expect(found.body.users.map((user: { userId: string }) => user.userId)).toEqual(['bob']);
  expect((await gateway.rest(`${path}?${query}`, { as: 'bob', method: 'DELETE' })).body).toEqual({
    removedId: addedId,
  });
  expect((await call('DELETE', reaction)).status).toBe(404);
  const again = (await call('POST', reaction)).body.addedId;
  expect((await call('DELETE', reaction)).body).toEqual({ removedId: again });
  expect((await gateway.rest(`/api/v3/reactions?${query}`)).body).toMatchObject({ reactions: [], users: [] });
});

test('answers 404 for reactions to invisible records', async () => {
  const query = 'referenceType=post&referenceId=grafting';
  expect((await gateway.rest(`/api/v3/reactions?${query}`, { as: 'bob' })).status).toBe(404);
  const reaction = { referenceType: 'post', referenceId: 'grafting', reactionName: 'like' };
  expect((await call('POST', reaction, 'bob')).status).toBe(404);
});

test('lists the reactors of stories and messages', async () => {
  await call('POST', { referenceType: 'story', referenceId: 'morning-dew', reactionName: 'wow' });
  await call('POST', { referenceType: 'message', referenceId: CHAT.message('who-waters'), reactionName: 'wow' });
  const reactors = 'reactors(reactionName: "wow") { edges { node { userId } } }';
  const { story, message } = await ask(
    gateway,
    `{ story(storyId: "morning-dew") { ${reactors} } message(messageId: "${CHAT.message('who-waters')}") { ${reactors} } }`,
  );
  const edges = [{ node: { userId: 'bob' } }];
  expect([story.reactors.edges, message.reactors.edges]).toEqual([edges, edges]);
});
