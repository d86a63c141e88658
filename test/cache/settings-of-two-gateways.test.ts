import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, mutations } from '../support/mutate.ts';
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts';

/** The documented bound for a change at another process, with time for the clock of a busy machine. */
const BOUND_MS = 2_100;

let gateways: TwoGateways;
beforeAll(async () => {
  gateways = await startTwoGateways();
}, 240_000);
afterAll(() => gateways.close());

/** The posts on the global feed of alice at a gateway. */
async function globalFeedAt(url: string): Promise<unknown[]> {
  const { globalFeed } = await ask(gateways.at(url), '{ globalFeed { edges { node { postId } } } }');
  return globalFeed.edges;
}

test('a changed setting applies at its gateway immediately, and at another one within two seconds', async () => {
  const change = (isOn: boolean) =>
    mutations(gateways.first)(
      'admin',
      'updateNetworkSettings',
      { social: { globalFeed: { showMyPost: isOn, showCommunityPost: isOn, showFollowingPost: isOn } } },
      'settings { social }',
    );
  const [first, second] = gateways.urls;
  for (const isOn of [false, true]) {
    // Both processes hold the earlier value, as short before the change as possible.
    await Promise.all([globalFeedAt(first), globalFeedAt(second)]);
    await change(isOn);
    expect((await globalFeedAt(first)).length > 0).toBe(isOn);
    await pause(BOUND_MS);
    expect((await globalFeedAt(second)).length > 0).toBe(isOn);
  }
}, 120_000);
