import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';

/**
 * Subtracts a deleted message from its channel and updates the preview.
 * @param newest finds the newest remaining message of the channel; called only when the preview must change
 */
export async function subtractFromChannel(
  context: Context,
  {
    session,
    message,
    newest,
  }: { session: ClientSession; message: MessageRecord; newest: () => Promise<MessageRecord | null> },
): Promise<void> {
  const { networkId, channelId, messageId } = message;
  const { channels } = context.store.collections;
  const filter = { networkId, channelId };
  const channel = await channels.findOneAndUpdate(
    filter,
    { $inc: { messageCount: -1 } },
    { session, returnDocument: 'after' },
  );
  if (channel?.messagePreviewId !== messageId) return;
  await channels.updateOne(filter, { $set: { messagePreviewId: (await newest())?.messageId ?? null } }, { session });
}
