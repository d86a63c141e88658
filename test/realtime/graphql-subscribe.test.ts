import { type ExecutionResult, parse, subscribe } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { createContext } from '../../src/context.ts';
import { authenticate } from '../../src/domain/session/authenticate.ts';
import { emit, postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function subscribeAs(as: string | null, source: string) {
  const viewer = as === null ? null : await authenticate(gateway.services, await gateway.tokenOf(as));
  return subscribe({ schema, document: parse(source), contextValue: createContext(gateway.services, viewer) });
}

test.each([
  ['postUpdated', 'subscription { postUpdated { type post { postId } } }'],
  ['events', 'subscription { events(types: [POST_UPDATED]) { type ... on PostEvent { post { postId } } } }'],
])('%s delivers visible events in order under the subscribe function of graphql-js', async (field, source) => {
  const stream = (await subscribeAs('alice', source)) as AsyncGenerator<ExecutionResult>;
  await emit(gateway, [postUpdated('1'), postUpdated('2', 'no-such-post'), postUpdated('3', 'tomatoes')]);
  const received = [await stream.next(), await stream.next()].map(({ value }) => value.data?.[field].post.postId);
  expect(received).toEqual(['seedlings', 'tomatoes']);
  await stream.return(undefined);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('the subscribe function of graphql-js rejects a subscription without a viewer or with an invalid topic', async () => {
  const source = 'subscription { postUpdated(topic: "a/#/b") { id } }';
  expect(await subscribeAs(null, source)).toMatchObject({ errors: [{ originalError: { errorName: 'UNAUTHORIZED' } }] });
  expect(await subscribeAs('alice', source)).toMatchObject({
    errors: [{ originalError: { errorName: 'INVALID_PARAMETERS' } }],
  });
});
