import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { findMessage } from './get-message.ts';

/** Whether the viewer flagged a message. @throws {OperationError} NOT_FOUND */
export async function isMessageFlagged(context: Context, { messageId }: { messageId: string }): Promise<boolean> {
  const { userId } = viewerOf(context);
  if (!(await findMessage(context, messageId))) throw notFound('Message');
  const flags = await context.load.myFlags.load([messageId, userId]);
  return (flags ?? []).some(({ referenceType }) => referenceType === 'message');
}
