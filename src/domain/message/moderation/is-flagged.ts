import { canModerateMessages } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { HashFlag } from '../../../store/records/base.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import { visibleHashFlag } from '../../flag/visible-hash-flag.ts';
import { findMessage } from '../get-message.ts';

/** Whether the viewer flagged a message. @throws {OperationError} NOT_FOUND */
export async function isMessageFlagged(context: Context, { messageId }: { messageId: string }): Promise<boolean> {
  const { userId } = viewerOf(context);
  if (!(await findMessage(context, messageId))) throw notFound('Message');
  const flags = await context.load.myFlags.load([messageId, userId]);
  return (flags ?? []).some(({ referenceType }) => referenceType === 'message');
}

/** As {@link visibleHashFlag}, of a message. */
export function hashFlagOfMessage(
  context: Context,
  { hashFlag, channelId }: MessageRecord,
): HashFlag | null | Promise<HashFlag | null> {
  return visibleHashFlag(context, hashFlag, async (viewer) =>
    canModerateMessages(viewer, await context.load.channelUsers.load([channelId, viewer.userId])),
  );
}
