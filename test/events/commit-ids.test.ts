import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../src/context.ts';
import { appendEvents } from '../../src/events/append-events.ts';
import { postUpdated } from '../support/emit.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

async function commitIdsOf(path: string): Promise<string[]> {
  const { events } = gateway.services.store.collections;
  const found = await events.find({ networkId: 'default', path: `default/${path}` }).toArray();
  return found.map(({ commitId }) => commitId);
}

test('all events of a transaction have one commitId, also those of separate calls; every transaction has its own', async () => {
  const context = createContext(gateway.services, null);
  for (const path of ['first', 'second']) {
    await context.transaction(async (session) => {
      await appendEvents(context, session, [postUpdated(path), postUpdated(path)]);
      await appendEvents(context, session, [postUpdated(path)]);
    });
  }
  const [first, second] = [await commitIdsOf('first'), await commitIdsOf('second')];
  expect(first).toEqual(Array(3).fill(first[0]));
  expect(second).toEqual(Array(3).fill(second[0]));
  expect(first[0]).not.toBe(second[0]);
});
