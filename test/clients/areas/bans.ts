import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';

/** The end of a session by a ban. Runs after the other areas. */
export const bans: Area = {
  name: 'bans',
  // Requests that 7.20 has in progress when its user is banned.
  ignores: /400100/,
  async run({ sdk, step, userId, admin }) {
    const states: string[] = [];
    sdk.Client.onSessionStateChange((state: string) => states.push(state));
    const ban = `mutation ($userId: String!) { banUser(input: { userId: $userId }) { __typename } }`;
    await step('is notified when an administrator bans its user', async () => {
      await admin.graphql(ban, { userId });
      await waitFor(
        () => states.includes('terminated'),
        () => `states: ${states}`,
      );
    });
    await step('cannot log in while its user is banned', async () => {
      const handler = { sessionWillRenewAccessToken: () => undefined };
      const result = await sdk.Client.login({ userId }, handler).catch(() => false);
      assert.equal(result, false);
    });
  },
};
