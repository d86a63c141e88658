import { canModerateMessages } from '../../../access/channel.ts';
import type { Context } from '../../../context.ts';
import { type MaybePromise, whenLoaded } from '../../../lib/maybe-promise.ts';
import type { HashFlag } from '../../../store/records/base.ts';
import type { MessageRecord } from '../../../store/records/chat.ts';
import { visibleHashFlag } from '../../flag/visible-hash-flag.ts';

/** As {@link visibleHashFlag}, of a message. */
export function hashFlagOfMessage(
  context: Context,
  { hashFlag, channelId }: MessageRecord,
): MaybePromise<HashFlag | null> {
  return visibleHashFlag(context, hashFlag, (viewer) =>
    whenLoaded(context.load.channelUsers.load([channelId, viewer.userId]), (membership) =>
      canModerateMessages(viewer, membership),
    ),
  );
}
