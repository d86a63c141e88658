import type { Page } from 'playwright-core';
import { PNG } from '../support/png.ts';
import { at, choose, confirm, idOf, postOf, type Records, shows, until, type Walk } from './page.ts';

/** The newsfeed with its composers, and what users do with posts and comments. */
export async function newsfeed({ screen, second }: Walk, page: Page, { community }: Records): Promise<void> {
  const ship = 'A ship in sight';
  const read = async (text: string) => {
    const { posts } = await second.call(`/api/v3/posts/${await idOf(second, community, text)}`);
    return posts[0];
  };
  await screen('logs in', () => at(page, 'community-side-menu').first().waitFor());
  await screen('lists the communities of the user beside the feed', () => shows(page, 'Lighthouse keepers'));
  await screen('shows the newsfeed', () => shows(page, 'The lamp burns'));
  await screen('shows the comments of a post in the newsfeed', () => shows(page, 'All night'));
  await screen("shows another user's new post in the newsfeed", async () => {
    await second.createPost('community', community.communityId, ship);
    await page.reload();
    await shows(page, ship);
  });
  await screen('publishes a post', async () => {
    await at(page, 'feed-post-creator-textarea')
      .or(at(page, 'post-creator-textarea'))
      .first()
      .fill('Hello from the kit');
    await at(page, 'post-creator-post-button').click();
    await shows(at(page, 'post'), 'Hello from the kit');
  });
  await screen('edits a post', async () => {
    await choose(postOf(page, 'Hello from the kit'), 'post-options-button', 'Edit post');
    await at(page, 'post-editor-textarea').fill('Hello again');
    await at(page, 'post-editor-save-button').click();
    await shows(at(page, 'post'), 'Hello again');
  });
  await screen('deletes a post', async () => {
    await choose(postOf(page, 'Hello again'), 'post-options-button', 'Delete post');
    await confirm(page);
    await postOf(page, 'Hello again').waitFor({ state: 'detached' });
  });
  await screen('reports a post', async () => {
    await choose(postOf(page, ship), 'post-options-button', 'Report');
    await until(async () => (await read(ship)).flagCount === 1);
  });
  await screen('likes a post', async () => {
    await at(postOf(page, ship), 'post-like-button').click();
    await at(postOf(page, ship), 'post-liked-button').waitFor();
    await until(async () => (await read(ship)).reactionsCount === 1);
  });
  await screen('takes a like back', async () => {
    await at(postOf(page, ship), 'post-liked-button').click();
    await at(postOf(page, ship), 'post-like-button').waitFor();
    await until(async () => (await read(ship)).reactionsCount === 0);
  });
  await screen('opens the composer of comments', async () => {
    await at(postOf(page, ship), 'engagement-bar-comment-button').click();
    await at(page, 'comment-compose-bar-textarea').first().waitFor();
  });
  await screen('comments on a post', async () => {
    await at(page, 'comment-compose-bar-textarea').first().fill('Which one?');
    await at(page, 'comment-compose-bar-add-comment-button').first().click();
    await shows(at(page, 'comment'), 'Which one?');
  });
  const comment = () => at(page, 'comment').filter({ hasText: 'Which one?' }).first();
  await screen('replies to a comment', async () => {
    await at(comment(), 'comment-reply-button').click();
    await page.locator('textarea[placeholder^="Reply to"]').fill('A steamer');
    await at(page, 'comment-compose-bar-reply-button').click();
    await shows(at(page, 'reply'), 'A steamer');
  });
  await screen('likes a comment', async () => {
    await comment().getByRole('button').first().click();
    await until(async () => {
      const query = { referenceType: 'post', referenceId: await idOf(second, community, ship) };
      const { comments } = await second.call('/api/v3/comments', { query });
      return comments[0].reactionsCount === 1;
    });
  });
  await screen('edits a comment', async () => {
    await choose(comment(), 'comment-options-button', 'Edit comment');
    await at(page, 'comment').locator('textarea').fill('Which ship is it?');
    await at(page, 'comment-save-edit-button').click();
    await shows(at(page, 'comment'), 'Which ship is it?');
  });
  await screen("shows another user's reply", async () => {
    const query = { referenceType: 'post', referenceId: await idOf(second, community, ship) };
    const { comments } = await second.call('/api/v3/comments', { query });
    const [{ commentId }] = comments;
    await second.createComment('post', query.referenceId, 'The Sea Rose', { parentId: commentId });
    await shows(at(page, 'reply'), 'The Sea Rose');
  });
  await screen('deletes a comment', async () => {
    const edited = at(page, 'comment').filter({ hasText: 'Which ship is it?' }).first();
    await choose(edited, 'comment-options-button', 'Delete comment');
    await confirm(page, 'delete-comment');
    await edited.waitFor({ state: 'detached' });
  });
  await screen('opens the composer of polls', async () => {
    await at(page, 'post-creator-poll-button').click();
    await at(page, 'poll-composer-modal').waitFor();
  });
  await screen('publishes a poll', async () => {
    const composer = at(page, 'poll-composer-modal');
    await at(composer, 'poll-composer-options-textarea').fill('Who is on watch?');
    for (const [index, answer] of ['Ann', 'Ben'].entries()) {
      await at(composer, 'poll-composer-add-option-button').click();
      await at(composer, 'poll-composer-option-item-input').nth(index).fill(answer);
    }
    await at(composer, 'poll-composer-post-button').click();
    await composer.waitFor({ state: 'detached' });
    await page.reload();
    await shows(postOf(page, 'Who is on watch?'), 'Ben');
  });
  await screen('votes in a poll', async () => {
    const poll = { question: 'Which colour?', answerType: 'single', answers: ['Red', 'Green'].map(textAnswer) };
    const { polls } = await second.post('/api/v3/polls', poll);
    const fields = { dataType: 'poll', data: { text: 'Which colour?', pollId: polls[0].pollId } };
    await second.createPost('community', community.communityId, 'Which colour?', fields);
    await page.reload();
    await postOf(page, 'Which colour?').getByText('Green').click();
    await postOf(page, 'Which colour?').getByText('Submit vote').click();
    await until(async () => {
      const voted = (await second.call(`/api/v3/polls/${polls[0].pollId}`)).polls[0];
      return voted.answers[1].voteCount === 1;
    });
    await shows(postOf(page, 'Which colour?'), '1 vote');
  });
  await screen('publishes a picture', async () => {
    const file = { name: 'lamp.png', mimeType: 'image/png', buffer: PNG };
    await at(page, 'post-creator-image-attachment-button').locator('input').setInputFiles(file);
    await at(page, 'post-creator-uploaded-image').waitFor();
    await at(page, 'post-creator-textarea').first().fill('The new lamp');
    await at(page, 'post-creator-post-button').click();
    await postOf(page, 'The new lamp').locator('img[src*="/files/"]').first().waitFor();
  });
}

const textAnswer = (data: string) => ({ dataType: 'text', data });
