import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../support/axe.ts';
import { mayGoWithout, startBrowser } from '../support/browser.ts';
import { signIn, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { successfulMutations } from '../support/mutate.ts';
import { manifestOf, readArchive } from '../support/read-archive.ts';
import { openConsole, signInAs } from './console-page.ts';

describe.skipIf(mayGoWithout)('the pages of people', () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway({ PUBLIC_URL: undefined });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function openAs(userId: 'admin' | 'alice', path: string): Promise<Page> {
    const { page } = await openConsole(browser, gateway);
    await signInAs(page, userId);
    await page.goto(`${gateway.url}/admin/${path}`);
    return page;
  }

  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
  const statusOf = async (token: string) =>
    (await gateway.rest('/api/v3/sessions', { as: null, headers: { authorization: `Bearer ${token}` } })).status;

  test('one session of a person is ended, then all of them', async () => {
    const phone = await signIn(gateway, 'kim', 'phone-of-kim');
    const tablet = await signIn(gateway, 'kim', 'tablet-of-kim');
    const page = await openAs('admin', 'people/kim');
    const sessions = page.getByRole('region', { name: 'Sessions of Kim' });
    await sessions
      .getByRole('row', { name: /phone-of-kim/ })
      .getByRole('button', { name: 'End' })
      .click();
    await confirm(page, 'End');
    await page.getByText('The session has ended.').waitFor();
    await expect.poll(() => sessions.getByRole('row').allTextContents()).toHaveLength(2);
    expect([await statusOf(phone), await statusOf(tablet)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await confirm(page, 'End all sessions');
    await page.getByText('Not signed in anywhere.').waitFor();
    expect(await statusOf(tablet)).toBe(401);
    await page.close();
  });

  test('the bans of a person from communities are listed and lifted', async () => {
    const execute = successfulMutations(gateway);
    const ban = { communityId: 'gardeners', userIds: ['carol'], reason: 'advertising' };
    await execute('admin', 'banCommunityMembers', ban);
    const page = await openAs('admin', 'people/carol');
    await page.getByLabel('Bans', { exact: true }).first().selectOption('From communities');
    await page
      .getByRole('row', { name: /The Gardeners.*advertising/ })
      .getByRole('button', { name: 'Lift' })
      .click();
    await confirm(page, 'Lift');
    await page.getByText('No bans.').waitFor();
    const query = '{ bans(filter: { kind: COMMUNITY, userId: "carol" }) { edges { node { userId } } } }';
    expect((await gateway.graphql(query, { as: 'admin' })).data).toEqual({ bans: { edges: [] } });
    await page.close();
  });

  test('the bans of the network are listed beside the accounts, for users who may ban', async () => {
    await successfulMutations(gateway)('admin', 'banUser', { userId: 'leo', reason: 'spam' });
    const page = await openAs('admin', 'people');
    await page.getByRole('tab', { name: 'Bans' }).click();
    await page.getByRole('row', { name: /Leo.*spam/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page
      .getByRole('row', { name: /Leo.*spam/ })
      .getByRole('button', { name: 'Lift' })
      .click();
    await confirm(page, 'Lift');
    await page.getByText('The ban is lifted.').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Leo.*spam/ }).count()).toBe(0);
    const { data } = await gateway.graphql('{ user(userId: "leo") { isGlobalBan } }', { as: 'admin' });
    expect(data).toEqual({ user: { isGlobalBan: false } });
    await page.close();
    const ofModerator = await openAs('alice', 'people');
    await ofModerator.getByText('Ada Min').first().waitFor();
    expect(await ofModerator.getByRole('tab').count()).toBe(0);
    await ofModerator.close();
  });

  test('the data of a person is downloaded as a complete archive', async () => {
    const page = await openAs('admin', 'people/bob');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export data' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('export.tar.gz');
    expect(manifestOf(await readArchive(await readFile(await download.path())))).toMatchObject({ userId: 'bob' });
    // The page remains.
    await page.getByRole('heading', { name: 'Export' }).waitFor();
    await page.close();
  });

  test('a moderator of a community sees neither sessions, bans nor the export of others', async () => {
    const page = await openAs('alice', 'people/bob');
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    for (const name of ['Sessions', 'Bans', 'Export']) {
      expect(await page.getByRole('heading', { name, exact: true }).count()).toBe(0);
    }
    await page.goto(`${gateway.url}/admin/people/alice`);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.getByRole('button', { name: 'Export data' }).waitFor();
    await page.close();
  });

  test('a member of a channel is muted with a reason and an end, which the page shows, and unmuted', async () => {
    const page = await openAs('alice', 'channels/gardeners-chat');
    const row = page.locator('#main tbody tr', { hasText: 'Grace' });
    await row.getByRole('button', { name: 'Mute' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('End of the mute').selectOption('For a week');
    await dialog.getByLabel('Reason').fill('Flooding');
    expect(await findings(page)).toEqual([]);
    await confirm(page, 'Mute');
    await row.getByText('Flooding').waitFor();
    const mutes = async () => {
      const query =
        '{ mutes(filter: { channelId: "gardeners-chat", userId: "grace" }) { edges { node { reason expiresAt } } } }';
      const { data } = await gateway.graphql<{
        mutes: { edges: Array<{ node: { reason: string; expiresAt: string } }> };
      }>(query, { as: 'admin' });
      return data.mutes.edges.map(({ node }) => node);
    };
    const [mute] = await mutes();
    expect(mute!.reason).toBe('Flooding');
    expect(Math.round((Date.parse(mute!.expiresAt) - Date.now()) / 86_400_000)).toBe(7);
    await row.getByRole('button', { name: 'Unmute' }).click();
    await confirm(page, 'Unmute');
    await row.getByText('Flooding').waitFor({ state: 'detached' });
    expect(await mutes()).toEqual([]);
    await page.close();
  });

  test('a member of a channel is made a moderator and dismissed, and a refusal leaves the roles as they are', async () => {
    const page = await openAs('alice', 'channels/greenhouse-chat');
    const row = page.locator('#main tbody tr', { hasText: 'Mia' });
    const rolesOf = async () => {
      const query = '{ channel(channelId: "greenhouse-chat") { members { edges { node { userId roles } } } } }';
      const { data } = await gateway.graphql<{
        channel: { members: { edges: Array<{ node: { userId: string; roles: string[] } }> } };
      }>(query, { as: 'admin' });
      return data.channel.members.edges.find(({ node }) => node.userId === 'mia')!.node.roles;
    };
    await row.getByRole('button', { name: 'Make moderator' }).press('Enter');
    await page.getByRole('dialog', { name: /^Make Mia .* a moderator\?$/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await confirm(page, 'Make moderator');
    await row.getByText('channel-moderator').waitFor();
    expect(await rolesOf()).toEqual(['member', 'channel-moderator']);
    expect(await findings(page)).toEqual([]);
    await row.getByRole('button', { name: 'Dismiss moderator' }).click();
    await confirm(page, 'Dismiss moderator');
    await row.getByText('channel-moderator').waitFor({ state: 'detached' });
    expect(await rolesOf()).toEqual(['member']);

    const asAdmin = successfulMutations(gateway);
    const ofAlice = { channelId: 'greenhouse-chat', userIds: ['alice'], role: 'channel-moderator' };
    await asAdmin('admin', 'removeChannelRole', ofAlice);
    await row.getByRole('button', { name: 'Make moderator' }).click();
    await confirm(page, 'Make moderator');
    await page.getByText('You lack the required permission.').waitFor();
    expect(await rolesOf()).toEqual(['member']);
    await asAdmin('admin', 'addChannelRole', ofAlice);
    await page.close();
  });

  test('only users who may assign roles, mute or ban in a channel see the buttons', async () => {
    const page = await openAs('alice', 'channels/seed-exchange');
    const row = page.locator('#main tbody tr', { hasText: 'Erin' });
    await row.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    // The community determines who is in its channel.
    await page.goto(`${gateway.url}/admin/channels/gardeners-chat`);
    const inCommunity = page.locator('#main tbody tr', { hasText: 'Grace' });
    await inCommunity.getByRole('button', { name: 'Make moderator' }).waitFor();
    expect(await inCommunity.getByRole('button').allTextContents()).toEqual(['Make moderator', 'Mute']);
    await page.close();
  });

  test('a member of a community is banned with a reason, which the list of bans shows, until the ban is lifted', async () => {
    const page = await openAs('alice', 'communities/gardeners');
    const row = page.locator('#main tbody tr', { hasText: 'Heidi' });
    await row.getByRole('button', { name: 'Ban' }).click();
    await page.getByRole('dialog').getByLabel('End of the ban').selectOption('For a day');
    await page.getByRole('dialog').getByLabel('Reason').fill('Insults');
    await confirm(page, 'Ban');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Banned' }).click();
    await row.getByText(/Insults\s*ends/).waitFor();
    await row.getByRole('button', { name: 'Lift ban' }).click();
    await confirm(page, 'Lift ban');
    await row.waitFor({ state: 'detached' });
    await page.close();
  });
});
