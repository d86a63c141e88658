import type { Page } from 'playwright-core';
import { at, go, shows, USER, until, type Walk } from './page.ts';

/** The profiles of the user and of another one, and follows. */
export async function profiles({ screen, second }: Walk, page: Page): Promise<void> {
  const followers = async () => (await second.call('/api/v4/me/followInfo')).followCounts[0].followerCount;
  await screen('shows the own profile', async () => {
    await go(page, 'onClickUser', USER);
    await at(page, 'user-info').first().waitFor();
    await shows(page, 'My first day');
  });
  await screen('edits the own profile', async () => {
    await go(page, 'onEditUser', USER);
    await at(page, 'user-profile-form-description-textarea').fill('Keeper of the lamp');
    await at(page, 'user-profile-form-save-button').click();
    await until(async () => (await second.call(`/api/v3/users/${USER}`)).users[0].description === 'Keeper of the lamp');
  });
  await screen("shows another user's profile", async () => {
    await go(page, 'onClickUser', second.userId);
    await shows(at(page, 'post'), 'Day off');
  });
  await screen("shows another user's new post in the profile", async () => {
    await second.createPost('user', second.userId, 'Back at work');
    await shows(at(page, 'post'), 'Back at work');
  });
  await screen('follows a user', async () => {
    await at(page, 'user-info').getByRole('button', { name: 'Follow', exact: true }).click();
    await until(async () => (await followers()) === 1);
  });
  await screen('lists followers', async () => {
    await at(page, 'user-feed-header-FOLLOWERS-tab-button').click();
    await page.getByText('Followers', { exact: true }).last().click();
    await page.getByText(USER, { exact: true }).first().waitFor();
  });
  await screen('unfollows a user', async () => {
    await go(page, 'onClickUser', second.userId);
    await at(page, 'user-info').getByRole('button').last().click();
    await page.getByText('Unfollow', { exact: true }).first().click();
    await page.locator('[data-qa-anchor^="confirm-modal"][data-qa-anchor$="ok-button"]').click();
    await until(async () => (await followers()) === 0);
  });
}
