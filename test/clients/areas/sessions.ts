import assert from 'node:assert/strict';
import type { Area } from '../application.ts';
import { waitFor } from '../live.ts';

/** Creates the client of the process and logs in, as an application does when it starts. */
export const sessions: Area = {
  name: 'sessions',
  async run({ sdk, step, userId, url, apiKey, admin, version }) {
    const states: string[] = [];
    const handler = { sessionWillRenewAccessToken: (renewal: { renew(): void }) => renewal.renew() };
    const client = sdk.Client.createClient(apiKey, sdk.API_REGIONS.SG, {
      // With a slash: 7.20 appends paths to the address in the record of its requests, which a port alone makes invalid.
      apiEndpoint: { http: `${url}/`, upload: `${url}/`, mqtt: `${url.replace('http', 'ws')}/mqtt` },
    });
    sdk.Client.onSessionStateChange((state: string) => states.push(state));
    if (version >= 635) sdk.Client.enableUnreadCount();
    await step('logs in', async () => {
      assert.equal(await sdk.Client.login({ userId, displayName: 'Ann' }, handler), true);
      // In 6.9 the application opens the socket that `isConnected` reports.
      if (version < 635) client.ws.open();
      if (version < 700) sdk.Client.startUnreadSync?.();
    });
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
      // The clients do not report when their topics are granted.
      await waitFor(async () => {
        await admin.put('/api/v3/users', { userId, description: `Seen at ${Date.now()}` });
        await new Promise((resolve) => setTimeout(resolve, 200));
        return events.some((type) => String(type).startsWith('user.'));
      }, 'no event arrived');
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
