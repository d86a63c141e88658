import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Gateway } from '../clients/gateway.ts';
import type { Json, SecondUser } from '../clients/second-user.ts';

export interface Walk {
  browser: Browser;
  /** Address of the page with the application. */
  site: string;
  gateway: Gateway;
  /** A user who changes what the screens display. */
  second: SecondUser;
  /** Runs a screen; it also fails for a request that the server failed. @param limit milliseconds that waits take */
  screen(title: string, run: () => Promise<unknown>): Promise<void>;
  /** Requests to the gateway that failed on a page are reported here. */
  watch(page: Page): void;
}

const USER = 'ann';

/** The element with an anchor that the kit gives for tests. */
const at = (page: Page | Locator, anchor: string) => page.locator(`[data-qa-anchor="${anchor}"]`);

/** Opens the screens of the kit one after another. */
export async function walk(context: Walk): Promise<void> {
  const records = await createRecords(context);
  const page = await open(context, 'social');
  await social(context, page, records);
  await page.close();
  await chat(context, records);
}

interface Records {
  community: Json;
  own: Json;
  post: Json;
  channel: Json;
  feed: Json;
  category: Json;
}

async function createRecords({ second, gateway }: Walk): Promise<Records> {
  const { SecondUser: User } = await import('../clients/second-user.ts');
  const ann = await User.login(gateway.url, gateway.apiKey, USER);
  const { categories } = await second.call('/api/v3/community-categories');
  const [category] = categories;
  const community = await second.createCommunity({
    displayName: 'Lighthouse keepers',
    description: 'Of the north coast',
    categoryIds: [category.categoryId],
    userIds: [USER],
  });
  const own = await ann.createCommunity({ displayName: 'Rope makers', needApprovalOnPostCreation: true });
  await second.post(`/api/v3/communities/${own.communityId}/join`);
  await second.createPost('community', own.communityId, 'Under review');
  const post = await second.createPost('community', community.communityId, 'The lamp burns');
  await second.createComment('post', post.postId, 'All night');
  await second.createPost('user', second.userId, 'Day off');
  await ann.createPost('user', USER, 'My first day');
  const channel = await second.createChannel({ displayName: 'Night shift', userIds: [USER] });
  const feed = await second.firstFeed(channel);
  await second.sendMessage(feed.messageFeedId, 'All quiet');
  return { community, own, post, channel, feed, category };
}

async function open({ browser, site, gateway, watch }: Walk, kind: string, more = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(10_000);
  watch(page);
  const settings = { gateway: gateway.url, key: gateway.apiKey, user: USER, page: kind, ...more };
  await page.goto(`${site}/?${new URLSearchParams(settings)}`);
  return page;
}

/** Opens a page of the kit by its own navigation. */
function go(page: Page, method: string, ...values: unknown[]): Promise<void> {
  return page.evaluate(([name, args]) => (globalThis as Json).navigation[name as string](...(args as unknown[])), [
    method,
    values,
  ] as const);
}

async function social(context: Walk, page: Page, records: Records): Promise<void> {
  const { second } = context;
  const screen: Walk['screen'] = (title, run) =>
    context.screen(title, async () => {
      await revive(page);
      await run();
    });
  const { community, own, post, category } = records;
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();
  await screen('logs in', () => at(page, 'community-side-menu').first().waitFor());
  await screen('lists the communities of the user beside the feed', () => shows('Lighthouse keepers'));
  await screen('shows the newsfeed', () => shows('The lamp burns'));
  await screen('shows the comments of a post in the newsfeed', () => shows('All night'));
  await screen("shows another user's new post in the newsfeed", async () => {
    await second.createPost('community', community.communityId, 'A ship in sight');
    await page.reload();
    await shows('A ship in sight');
  });
  await screen('publishes a post', async () => {
    await at(page, 'feed-post-creator-textarea')
      .or(at(page, 'post-creator-textarea'))
      .first()
      .fill('Hello from the kit');
    await at(page, 'post-creator-post-button').click();
    await at(page, 'post').getByText('Hello from the kit').first().waitFor();
  });
  await screen('likes a post', async () => {
    const liked = at(page, 'post').filter({ hasText: 'A ship in sight' }).first();
    await liked.getByText('Like', { exact: true }).first().click();
    await until(async () => {
      const { posts } = await second.call(`/api/v3/posts/${await idOf(second, community, 'A ship in sight')}`);
      return posts[0].reactionsCount === 1;
    });
  });
  await screen('opens the composer of comments', async () => {
    await at(at(page, 'post').filter({ hasText: 'A ship in sight' }).first(), 'engagement-bar-comment-button').click();
    await at(page, 'comment-compose-bar-textarea').first().waitFor();
  });
  await screen('comments on a post', async () => {
    await at(page, 'comment-compose-bar-textarea').first().fill('Which one?');
    await page
      .getByText('Add comment')
      .or(page.locator('[data-qa-anchor="comment-compose-bar-add-comment-button"]'))
      .first()
      .click();
    await shows('Which one?');
  });
  await screen('opens the composer of polls', async () => {
    await at(page, 'post-creator-poll-button').click();
    await at(page, 'poll-composer-modal').waitFor();
  });
  await screen('returns from the composer of polls', async () => {
    await page.keyboard.press('Escape');
    await page.reload();
    await shows('The lamp burns');
  });
  await screen('shows the explore page', async () => {
    await at(page, 'side-section-community-side-menu-action-item-explore-button').click();
    await shows(/Trending/i);
  });
  await screen('recommends communities', () => shows(/Recommended/i));
  await screen('lists trending communities', () => page.locator('[data-qa-anchor*="trending"]').first().waitFor());
  await screen('lists categories', () => shows(category.name));
  await screen('shows a category', async () => {
    await go(page, 'onClickCategory', category.categoryId);
    await shows('Lighthouse keepers');
  });
  await screen('finds a community', async () => {
    await at(page, 'social-search-input').fill('Lightho');
    await page.getByText('Lighthouse keepers').nth(1).waitFor();
    await at(page, 'social-search-input').fill('');
  });
  await screen('shows a community', async () => {
    await go(page, 'onClickCommunity', community.communityId);
    await at(page, 'community-info').first().waitFor();
    await shows('Of the north coast');
  });
  await screen('shows the posts of a community', () => at(page, 'post').getByText('The lamp burns').first().waitFor());
  await screen("shows another user's new post in a community", async () => {
    await second.createPost('community', community.communityId, 'Fog comes in');
    await at(page, 'post').getByText('Fog comes in').first().waitFor();
  });
  await screen("shows another user's new comment", async () => {
    await second.createComment('post', await idOf(second, community, 'Fog comes in'), 'Thick fog');
    await shows('Thick fog');
  });
  await screen('shows the members of a community', async () => {
    await page.getByText('Members', { exact: true }).first().click();
    await at(page, 'community-member-item').or(page.getByText('ben')).first().waitFor();
  });
  await screen('shows the gallery of a community', async () => {
    await page.getByText('Gallery', { exact: true }).first().click();
    await page
      .getByText(/Photos|Photo/)
      .first()
      .waitFor();
  });
  await screen('shows posts under review', async () => {
    await go(page, 'onClickCommunity', own.communityId);
    await at(page, 'community-feed-header-PENDING-tab-button').click();
    await shows('Under review');
  });
  await screen('approves a post under review', async () => {
    await at(page, 'post-review-accept-button').first().click();
    await until(async () => {
      const query = { targetType: 'community', targetId: own.communityId };
      return (await second.call('/api/v4/posts', { query })).posts.length === 1;
    });
  });
  await screen('edits the profile of a community', async () => {
    await go(page, 'onEditCommunity', own.communityId, 'EDIT_PROFILE');
    await shows('Community Settings');
    await shows('Upload image');
  });
  await screen('shows the members in the settings of a community', async () => {
    await page.getByText('Members', { exact: true }).first().click();
    await shows('ben');
  });
  await screen('shows the permissions of a community', async () => {
    await page.getByText('Permissions', { exact: true }).first().click();
    await page.locator('[data-qa-anchor^="community-permissions"]').first().waitFor();
  });
  await screen('creates a community', async () => {
    await go(page, 'onChangePage', 'newsfeed');
    await at(page, 'side-section-my-community-create-community-button').click();
    await at(page, 'community-creation-modal').first().waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
  });
  await screen('shows the own profile', async () => {
    await at(page, 'community-side-menu').first().waitFor();
    await go(page, 'onClickUser', USER);
    await at(page, 'user-info').first().waitFor();
    await shows('My first day');
  });
  await screen('edits the own profile', async () => {
    await go(page, 'onEditUser', USER);
    await at(page, 'user-profile-form-description-textarea').fill('Keeper of the lamp');
    await at(page, 'user-profile-form-save-button').click();
    await until(async () => (await second.call(`/api/v3/users/${USER}`)).users[0].description === 'Keeper of the lamp');
  });
  await screen("shows another user's profile", async () => {
    await go(page, 'onClickUser', second.userId);
    await shows('Day off');
  });
  await screen('follows a user', async () => {
    await page
      .getByRole('button', { name: /Follow/ })
      .first()
      .click();
    await until(async () => (await second.call('/api/v4/me/followInfo')).followCounts[0].followerCount === 1);
  });
  await screen('lists followers', async () => {
    await page
      .getByText(/followers/i)
      .first()
      .click();
    await shows(USER);
  });
  assert.ok(post);
}

async function chat(context: Walk, { channel, feed }: Records): Promise<void> {
  const { screen, second } = context;
  const page = await open(context, 'chat', { channel: channel.channelId });
  await screen('lists channels', () => at(page, 'chat-item').filter({ hasText: 'Night shift' }).first().waitFor());
  await screen('shows the head of a channel', () => at(page, 'chat-header').getByText('Night shift').first().waitFor());
  await screen('shows messages', () => at(page, 'message').getByText('All quiet').first().waitFor());
  await screen("shows another user's new message", async () => {
    await second.sendMessage(feed.messageFeedId, 'A boat arrives');
    await at(page, 'message').getByText('A boat arrives').first().waitFor();
  });
  await screen('sends a message', async () => {
    await at(page, 'message-compose-bar-input').fill('Seen');
    await at(page, 'message-compose-bar-send-message-button').click();
    await at(page, 'message').getByText('Seen').first().waitFor();
    await until(async () => {
      const { messages } = await second.call('/api/v5/messages', { query: { messageFeedId: feed.messageFeedId } });
      return messages.some((message: Json) => message.data.text === 'Seen');
    });
  });
  await screen('opens the composer of chats', async () => {
    await at(page, 'chat-create-chat-button').click();
    await at(page, 'create-chat-modal').first().waitFor();
  });
  await page.close();
}

/** Loads the page again if an error of the screen before has emptied it, so that one failure does not cause others. */
async function revive(page: Page): Promise<void> {
  if ((await page.locator('#root > *').count()) > 0) return;
  await page.reload();
  await at(page, 'community-side-menu').first().waitFor();
}

async function idOf(second: SecondUser, community: Json, text: string): Promise<string> {
  const query = { targetType: 'community', targetId: community.communityId };
  const { posts } = await second.call('/api/v4/posts', { query });
  return posts.find((post: Json) => post.data.text === text).postId;
}

async function until(condition: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('The change did not reach the gateway.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
