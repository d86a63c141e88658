import type { Page } from 'playwright-core';
import { at, choose, confirm, go, idOf, pick, postsOf, type Records, shows, until, type Walk } from './page.ts';

/** The explore page, the pages of communities, and their settings. */
export async function communities({ screen, second }: Walk, page: Page, records: Records): Promise<void> {
  const { community, own, other, category } = records;
  const read = async ({ communityId }: { communityId: string }) =>
    (await second.call(`/api/v3/communities/${communityId}`)).communities[0];
  await screen('shows the explore page', async () => {
    await at(page, 'side-section-community-side-menu-action-item-explore-button').click();
    await shows(page, /Trending/i);
  });
  await screen('recommends communities', () => shows(page, /Recommended/i));
  await screen('lists trending communities', () =>
    page.locator('h2:has-text("Trending") + ul').getByText('The Gardeners').first().waitFor(),
  );
  await screen('lists categories', () => shows(page, category.name));
  await screen('shows a category', async () => {
    await go(page, 'onClickCategory', category.categoryId);
    await shows(page, 'Lighthouse keepers');
  });
  await screen('finds a community', async () => {
    await at(page, 'social-search-input').fill('Lightho');
    await page.getByText('Lighthouse keepers').nth(1).waitFor();
    await at(page, 'social-search-input').fill('');
  });
  await screen('finds a user', async () => {
    await at(page, 'social-search-input').fill(second.userId);
    await page.getByText('Accounts', { exact: true }).click();
    await page.getByText(second.userId, { exact: true }).first().waitFor();
    await at(page, 'social-search-input').fill('');
  });
  await screen('shows a community', async () => {
    await go(page, 'onClickCommunity', community.communityId);
    await at(page, 'community-info').first().waitFor();
    await shows(page, 'Of the north coast');
  });
  await screen('shows the posts of a community', () => shows(at(page, 'post'), 'The lamp burns'));
  await screen("shows another user's new post in a community", async () => {
    await second.createPost('community', community.communityId, 'Fog comes in');
    await shows(at(page, 'post'), 'Fog comes in');
  });
  await screen("shows another user's new comment", async () => {
    await second.createComment('post', await idOf(second, community, 'Fog comes in'), 'Thick fog');
    await shows(at(page, 'comment'), 'Thick fog');
  });
  await screen("shows another user's deletion of a comment", async () => {
    const query = { referenceType: 'post', referenceId: await idOf(second, community, 'Fog comes in') };
    const [comment] = (await second.call('/api/v3/comments', { query })).comments;
    await second.delete(`/api/v4/comments/${comment.commentId}`);
    await page.getByText('Thick fog').waitFor({ state: 'detached' });
  });
  await screen("shows another user's edit of a post", async () => {
    const postId = await idOf(second, community, 'Fog comes in');
    await second.put(`/api/v4/posts/${postId}`, { data: { text: 'Fog clears' } });
    await shows(at(page, 'post'), 'Fog clears');
  });
  await screen('shows the members of a community', async () => {
    await at(page, 'community-feed-header-MEMBERS-tab-button').click();
    await shows(at(page, 'community-member-item'), second.userId);
  });
  await screen('shows the gallery of a community', async () => {
    await at(page, 'community-feed-header-GALLERY-tab-button').click();
    await shows(page, 'Photos');
  });
  await screen('joins a community', async () => {
    await go(page, 'onClickCommunity', other.communityId);
    await at(page, 'community-info-join-button').click();
    await at(page, 'community-info-options-button').waitFor();
    await until(async () => (await read(other)).membersCount === 2);
  });
  await screen('leaves a community', async () => {
    await at(page, 'community-info-options-button').click();
    await page.getByText('Leave Community', { exact: true }).click();
    await confirm(page, 'leave-community');
    await at(page, 'community-info-join-button').waitFor();
    await until(async () => (await read(other)).membersCount === 1);
  });
  await screen('shows posts under review', async () => {
    await go(page, 'onClickCommunity', own.communityId);
    await at(page, 'community-feed-header-PENDING-tab-button').click();
    await shows(at(page, 'post'), 'Under review');
  });
  await screen('approves a post under review', async () => {
    await at(page, 'post-review-accept-button').first().click();
    await until(async () => (await postsOf(second, own)).length === 1);
  });
  await screen('shows that the user is still a member when another one leaves and joins', async () => {
    await at(page, 'community-feed-header-TIMELINE-tab-button').click();
    await second.delete(`/api/v3/communities/${own.communityId}/leave`);
    await shows(at(page, 'community-info'), /^1members$/);
    await at(page, 'community-info-edit-button').waitFor();
    await second.post(`/api/v3/communities/${own.communityId}/join`);
    await shows(at(page, 'community-info'), /^2members$/);
    await at(page, 'community-info-edit-button').waitFor();
  });
  await screen('edits the profile of a community', async () => {
    await go(page, 'onEditCommunity', own.communityId, 'EDIT_PROFILE');
    await shows(page, 'Community Settings');
    await at(page, 'community-edit-community-description-textarea').fill('Hemp and tar');
    await at(page, 'community-edit-save-button').click();
    await until(async () => (await read(own)).description === 'Hemp and tar');
  });
  await screen('shows the members in the settings of a community', async () => {
    await go(page, 'onEditCommunity', own.communityId, 'MEMBERS');
    await shows(at(page, 'community-member-item'), second.userId);
  });
  const member = () => at(page, 'community-member-item').filter({ hasText: second.userId }).first();
  const roles = async () => {
    const { communityUsers } = await second.call(`/api/v3/communities/${own.communityId}/users`);
    return communityUsers.find(({ userId }: { userId: string }) => userId === second.userId)?.roles;
  };
  await screen('promotes a member to moderator', async () => {
    await choose(member(), 'community-members-option-menu', 'Promote to moderator');
    await until(async () => (await roles()).includes('community-moderator'));
  });
  await screen('dismisses a moderator', async () => {
    // The kit displays the roles that members had when it loaded the list, and loads it once.
    await page.reload();
    await at(page, 'community-side-menu').first().waitFor();
    await go(page, 'onEditCommunity', own.communityId, 'MEMBERS');
    await choose(member(), 'community-members-option-menu', 'Dismiss moderator');
    await until(async () => !(await roles()).includes('community-moderator'));
  });
  await screen('removes a member', async () => {
    await choose(member(), 'community-members-option-menu', 'Remove from community');
    await confirm(page, 'remove-user');
    await until(async () => (await read(own)).membersCount === 1);
    await member().waitFor({ state: 'detached' });
  });
  await screen('adds a member', async () => {
    await at(page, 'community-edit-add-member-button').click();
    const form = at(page, 'add-member-modal').first();
    await pick(form, { input: 'user-selector-input', text: second.userId, entry: 'user-select-menu-item' });
    await form.getByText('Add', { exact: true }).click();
    await until(async () => (await read(own)).membersCount === 2);
  });
  await screen('shows the permissions of a community', async () => {
    await go(page, 'onEditCommunity', own.communityId, 'PERMISSIONS');
    await page.locator('[data-qa-anchor^="community-permissions"]').first().waitFor();
  });
  await screen('ends the review of posts', async () => {
    await page.locator('[data-qa-anchor^="community-permissions"]').first().click();
    await until(async () => !(await read(own)).needApprovalOnPostCreation);
  });
  await screen('closes a community', async () => {
    await go(page, 'onEditCommunity', own.communityId, 'EDIT_PROFILE');
    await at(page, 'community-edit-close-community-button').click();
    await confirm(page, 'close-community');
    await until(() =>
      read(own).then(
        () => false,
        () => true,
      ),
    );
    await at(page, 'news-feed').first().waitFor();
  });
  await screen('creates a community', async () => {
    await go(page, 'onChangePage', 'newsfeed');
    await at(page, 'side-section-my-community-create-community-button').click();
    const form = at(page, 'community-creation-modal').first();
    await at(form, 'community-creation-community-name-input').fill('Net menders');
    const entry = 'community-creation-category-select-menu-item';
    await pick(form, { input: 'category-selector-input', text: category.name, entry });
    await at(form, 'community-creation-save-button').click();
    await at(page, 'community-created-modal-skip-button').click();
    await shows(at(page, 'community-info'), 'Net menders');
  });
}
