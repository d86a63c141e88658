import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';

/** Creates the client of the process and logs in, as an application does when it starts. */
export const sessions: Area = {
  name: 'sessions',
  async run({ sdk, step, userId, url, apiKey, admin, version }) {
    const states: string[] = [];
    const handler = { sessionWillRenewAccessToken: (renewal: { renew(): void }) => renewal.renew() };
    const login = async () => {
      const isLoggedIn = await sdk.Client.login({ userId, displayName: 'Ann' }, handler);
      // 6.9 leaves the socket by which it knows that it is connected to the application.
      if (version < 635) client.ws.open();
      return isLoggedIn;
    };
    const client = sdk.Client.createClient(apiKey, sdk.API_REGIONS.SG, {
      // With a slash: 7.20 appends paths to the address in the record of its requests, which a port alone makes invalid.
      apiEndpoint: { http: `${url}/`, upload: `${url}/`, mqtt: `${url.replace('http', 'ws')}/mqtt` },
    });
    sdk.Client.onSessionStateChange((state: string) => states.push(state));
    await step('logs in', async () => assert.equal(await login(), true));
    await step('reports the state of the session', async () => {
      assert.deepEqual(states.slice(0, 2), ['establishing', 'established']);
    });
    await step('knows its own user', async () => {
      const user = sdk.Client.getActiveUser();
      assert.equal(user.userId, userId);
      assert.ok(user._id && user.path.endsWith(`/user/${user._id}`), 'no internal id or path');
    });
    await step('opens a realtime connection', async () => {
      await waitFor(() => sdk.Client.isConnected(), 'not connected');
      const events = collectEvents(client);
      await admin.put('/api/v3/users', { userId, description: 'Seen by an administrator' });
      await waitFor(() => events.filter((type) => String(type).startsWith('user.')).length > 0, 'no event arrived');
    });
    await step('renews its token', async () => {
      const before = client.token.accessToken;
      sdk.Client.renewal().renew();
      await waitFor(() => client.token.accessToken !== before, 'the token did not change');
    });
    await step('reads with the renewed token', async () => {
      const { data } = await sdk.UserRepository.getUserByIds([userId]);
      assert.equal(data[0].userId, userId);
    });
    await step('reads the settings of feeds', async () => assert.ok(await sdk.Client.getFeedSettings()));
    if (client.getSocialSettings) {
      await step('reads the social settings', async () => {
        assert.ok((await client.getSocialSettings()).globalFeed, 'no globalFeed');
      });
      await step('checks texts against the block list', async () => {
        assert.equal(await client.validateTexts(['A calm sentence']), true);
      });
      await step('checks links against the allow list', async () => {
        assert.equal(await client.validateUrls(['https://example.com/page']), true);
      });
    }
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
    await step('logs in for the steps that follow', async () => {
      await sdk.Client.logout();
      assert.equal(await login(), true);
    });
    await step('names its user and its type', async () => {
      assert.equal(sdk.Client.getCurrentUser().userId, userId);
      assert.equal(sdk.Client.getCurrentUserType(), 'signed-in');
    }, ['Client.getCurrentUser']);
    await step('registers for push notifications and withdraws', async () => {
      assert.equal(await sdk.Client.registerPushNotification('token-of-the-device'), true);
      assert.equal(await sdk.Client.unregisterPushNotification(), true);
    }, ['Client.registerPushNotification']);
    await step(
      'previews a link',
      async () => assert.ok('title' in (await sdk.Client.fetchLinkPreview('https://example.com/'))),
      ['Client.fetchLinkPreview'],
    );
    await step(
      'reads the pattern of links to share',
      async () => assert.ok(await sdk.Client.getShareableLinkConfiguration()),
      ['Client.getShareableLinkConfiguration'],
    );
    await step(
      'reads the settings of the product catalogue',
      async () => assert.ok(await sdk.Client.getProductCatalogueSetting()),
      ['Client.getProductCatalogueSetting'],
    );
  },
};

function collectEvents(client: { emitter: { on(type: string, listener: (event: unknown) => void): void } }) {
  const events: unknown[] = [];
  client.emitter.on('*', (event) => events.push(event));
  return events;
}

async function tokens(url: string, apiKey: string, userId: string) {
  const response = await fetch(`${url}/api/v5/sessions`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ userId, deviceId: 'device-of-the-application' }),
  });
  return (await response.json()) as { accessToken: string; issuedAt: string; expiresAt: string };
}
