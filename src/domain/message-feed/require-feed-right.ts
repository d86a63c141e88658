import type { ClientSession } from 'mongodb';
import { type ChannelPlace, canEditFeeds } from '../../access/message.ts';
import type { Context } from '../../context.ts';
import { requireChannelRight } from '../channel/members/require-channel-right.ts';

/** Checks the right to change message feeds in a transaction. @throws {OperationError} BANNED, PERMISSION_DENIED */
export async function requireFeedRight(context: Context, session: ClientSession, place: ChannelPlace): Promise<void> {
  await requireChannelRight(context, session, place, (viewer, membership) =>
    canEditFeeds(viewer, { ...place, membership }),
  );
}
