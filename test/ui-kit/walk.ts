import type { Page } from 'playwright-core';
import { RestUser } from '../clients/rest-user.ts';
import { chat } from './chat.ts';
import { communities } from './communities.ts';
import { newsfeed } from './newsfeed.ts';
import { at, open, type Records, USER, type Walk } from './page.ts';
import { profiles } from './profiles.ts';

/** Opens the screens of the kit one after another. */
export async function walk(context: Walk): Promise<void> {
  const records = await createRecords(context);
  const page = await open(context, 'social');
  const social: Walk = {
    ...context,
    screen: (title, run) =>
      context.screen(title, async () => {
        await reloadIfEmpty(page);
        await run();
      }),
  };
  await newsfeed(social, page, records);
  await communities(social, page, records);
  await profiles(social, page);
  await page.close();
  await chat(context, records);
}

async function createRecords({ second, gateway }: Walk): Promise<Records> {
  const user = await RestUser.login(gateway.url, gateway.apiKey, USER);
  const { categories } = await second.call('/api/v3/community-categories');
  const [category] = categories;
  const community = await second.createCommunity({
    displayName: 'Lighthouse keepers',
    description: 'Of the north coast',
    categoryIds: [category.categoryId],
    userIds: [USER],
  });
  const own = await user.createCommunity({
    displayName: 'Rope makers',
    categoryIds: [category.categoryId],
    needApprovalOnPostCreation: true,
  });
  await second.post(`/api/v3/communities/${own.communityId}/join`);
  await second.createPost('community', own.communityId, 'Under review');
  const other = await second.createCommunity({ displayName: 'Pilots', categoryIds: [category.categoryId] });
  const post = await second.createPost('community', community.communityId, 'The lamp burns');
  await second.createComment('post', post.postId, 'All night');
  await second.createPost('user', second.userId, 'Day off');
  await user.createPost('user', USER, 'My first day');
  const channel = await second.createChannel({ displayName: 'Night shift', userIds: [USER] });
  const feed = await second.firstFeed(channel);
  await second.sendMessage(feed.messageFeedId, 'All quiet');
  return { community, own, other, category, channel, feed };
}

/** Loads the page again if an error of the screen before has emptied it, so that one failure does not cause others. */
async function reloadIfEmpty(page: Page): Promise<void> {
  if ((await page.locator('#root > *').count()) > 0) return;
  await page.reload();
  await at(page, 'community-side-menu').first().waitFor();
}
