import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResponsiveTimeouts } from '../../src/lib/responsive-timeout.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** Long enough for the commands before the block, also on a busy machine. */
const TIMEOUT_MS = 2_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ DATABASE_TIMEOUT_MS: String(TIMEOUT_MS) });
  await gateway.tokenOf('alice');
});
afterAll(() => gateway.close());

/** Blocks the thread of the gateway after it has sent a command of this name, while the database replies. */
function blockOnce(commandName: string): void {
  gateway.services.store.client.on('commandStarted', function block(event) {
    if (event.commandName !== commandName) return;
    gateway.services.store.client.off('commandStarted', block);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMEOUT_MS * 1.5));
  });
}

test('answers a read whose reply arrived while the event loop was blocked past its deadline', async () => {
  await gateway.rest('/api/v3/posts/tomatoes');
  blockOnce('find');
  const { status, body } = await gateway.rest('/api/v3/posts/tomatoes');
  expect([status, body.message]).toEqual([200, undefined]);
});

test('answers a write whose commit arrived while the event loop was blocked past its deadline', async () => {
  const flag = () =>
    gateway.graphql(
      'mutation { createPost(input: { targetType: COMMUNITY, targetId: "gardeners", data: { text: "x" } }) { __typename } }',
    );
  await flag();
  blockOnce('commitTransaction');
  expect(await flag()).toMatchObject({
    status: 200,
    data: { createPost: { __typename: expect.stringMatching(/^(?!Op)/) } },
  });
});

test('timeouts of one duration expire in their order, except for those that were cancelled', async () => {
  const expireLater = createResponsiveTimeouts(20);
  const expired: string[] = [];
  const cancelFirst = expireLater(() => expired.push('first'));
  const second = new Promise<void>((resolve) => {
    expireLater(() => {
      expired.push('second');
      resolve();
    });
  });
  cancelFirst();
  const cancelThird = expireLater(() => expired.push('third'));
  cancelThird();
  await second;
  // Set after the timer of the others has fired.
  await new Promise<void>((resolve) => {
    expireLater(() => {
      expired.push('fourth');
      resolve();
    });
  });
  expect(expired).toEqual(['second', 'fourth']);
});
