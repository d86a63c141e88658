import type { Json } from '../clients/rest-user.ts';
import { at, confirm, open, pick, type Records, shows, until, type Walk } from './page.ts';

/** The list of chats, a chat with its messages, and its details. */
export async function chat(context: Walk, { channel, feed }: Records): Promise<void> {
  const { screen, second } = context;
  const page = await open(context, 'chat', { channel: channel.channelId });
  const texts = async () => {
    const { messages } = await second.call('/api/v5/messages', { query: { messageFeedId: feed.messageFeedId } });
    return messages.filter((message: Json) => !message.isDeleted).map((message: Json) => message.data.text);
  };
  const message = (text: string) => at(page, 'message').filter({ hasText: text }).first();
  await screen('lists channels', () => at(page, 'chat-item').filter({ hasText: 'Night shift' }).first().waitFor());
  await screen('shows the head of a channel', () => shows(at(page, 'chat-header'), 'Night shift'));
  await screen('shows messages', () => message('All quiet').waitFor());
  await screen("shows another user's new message", async () => {
    const { messageId } = await second.sendMessage(feed.messageFeedId, 'A boat arrives');
    await message('A boat arrives').waitFor();
    await second.put(`/api/v5/messages/${messageId}`, { data: { text: 'A boat leaves' } });
    await message('A boat leaves').waitFor();
  });
  await screen('sends a message', async () => {
    await at(page, 'message-compose-bar-input').fill('Seen');
    await at(page, 'message-compose-bar-send-message-button').click();
    await message('Seen').waitFor();
    await until(async () => (await texts()).includes('Seen'));
  });
  await screen('edits a message', async () => {
    await at(message('Seen'), 'message-options-button').click();
    await at(page, 'message-menu-item-edit').click();
    await at(page, 'message-edit-input').fill('Heard');
    await at(page, 'message-save-button').click();
    await message('Heard').waitFor();
    await until(async () => (await texts()).includes('Heard'));
  });
  await screen('deletes a message', async () => {
    await at(message('Heard'), 'message-options-button').click();
    await at(page, 'message-menu-item-delete').click();
    await until(async () => !(await texts()).includes('Heard'));
  });
  await screen('shows the members of a chat', async () => {
    await at(page, 'chat-header').locator('svg').last().click();
    await page.getByText('Members', { exact: true }).click();
    await shows(page, 'Return to controls');
    await page.getByText(second.userId, { exact: true }).last().waitFor();
  });
  await screen('opens the composer of chats', async () => {
    await at(page, 'chat-create-chat-button').click();
    await at(page, 'create-chat-modal').first().waitFor();
  });
  await screen('creates a chat', async () => {
    const form = at(page, 'create-chat-modal').first();
    await at(form, 'chat-composer-display-name-input').fill('Day shift');
    await pick(form, { input: 'user-selector-input', text: second.userId, entry: 'user-select-menu-item' });
    await at(form, 'chat-composer-submit-button').click();
    await at(page, 'chat-item').filter({ hasText: 'Day shift' }).first().waitFor();
  });
  await screen('leaves a chat', async () => {
    await page.getByText('Return to controls').click();
    await page.getByText('Leave chat', { exact: true }).click();
    await confirm(page);
    await until(async () => (await second.call(`/api/v3/channels/${channel.channelId}`)).channels[0].memberCount === 1);
  });
  await page.close();
}
