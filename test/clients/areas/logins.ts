import assert from 'node:assert/strict';
import type { Area } from '../application.ts';

/**
 * Ends and begins sessions again. Runs last: after a logout the clients do not restore what a first login sets up, such
 * as their reaction to a ban and the synchronization of markers, until the application starts again.
 */
export const logins: Area = {
  name: 'logins',
  async run({ sdk, step, userId, url, apiKey, admin }) {
    const states: string[] = [];
    const handler = { sessionWillRenewAccessToken: (renewal: { renew(): void }) => renewal.renew() };
    const login = () => sdk.Client.login({ userId, displayName: 'Ann' }, handler);
    const client = sdk.Client.getActiveClient();
    const unban = 'mutation ($userId: String!) { unbanUser(input: { userId: $userId }) { __typename } }';
    await admin.graphql(unban, { userId });
    sdk.Client.onSessionStateChange((state: string) => states.push(state));
    await step('logs in after its user was banned', async () => assert.equal(await login(), true));
    await step('logs out', async () => {
      assert.equal(await sdk.Client.logout(), true);
      assert.equal(states.at(-1), 'notLoggedIn');
    });
    await step('logs in again', async () => assert.equal(await login(), true));
    await step('logs out and revokes its token', async () => {
      const { accessToken } = client.token;
      assert.equal(await sdk.Client.secureLogout(), true);
      const response = await fetch(`${url}/api/v3/users/${userId}`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      assert.equal(response.status, 401);
    }, ['Client.secureLogout']);
    await step('resumes a session', async () => {
      const { accessToken, issuedAt, expiresAt } = await tokens(url, apiKey, userId);
      assert.equal(
        await sdk.Client.resumeSession({ userId, token: { accessToken, issuedAt, expiresAt } }, handler),
        true,
      );
    }, ['Client.resumeSession']);
    await step('logs in with an access token', async () => {
      await sdk.Client.logout();
      const { accessToken } = await tokens(url, apiKey, userId);
      sdk.Client.setAccessTokenHandler({ onTokenRenew: async () => (await tokens(url, apiKey, userId)).accessToken });
      assert.equal(await sdk.Client.loginWithAccessToken(accessToken), true);
    }, ['Client.loginWithAccessToken']);
    await step('logs in as a visitor', async () => {
      await sdk.Client.logout();
      assert.equal(await sdk.Client.loginAsVisitor({ sessionHandler: handler }), true);
      assert.equal(sdk.Client.getCurrentUserType(), 'visitor');
    }, ['Client.loginAsVisitor']);
    await step('logs in as a bot', async () => {
      await sdk.Client.logout();
      assert.equal(await sdk.Client.loginAsBot({ sessionHandler: handler }), true);
      assert.equal(sdk.Client.getCurrentUserType(), 'bot');
    }, ['Client.loginAsBot']);
  },
};

async function tokens(url: string, apiKey: string, userId: string) {
  const response = await fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ userId, deviceId: 'device-of-the-application' }),
  });
  return (await response.json()) as { accessToken: string; issuedAt: string; expiresAt: string };
}
