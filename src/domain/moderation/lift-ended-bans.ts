import type { Context } from '../../context.ts';
import { liftEndedChannelBans } from '../channel/moderation/lift-ended-channel-bans.ts';
import { liftEndedCommunityBans } from '../community/members/lift-ended-community-bans.ts';
import { liftEndedUserBans } from '../user/moderation/lift-ended-user-bans.ts';

/**
 * Stores the ends of bans that ended by themselves, with the events and audit entries of lifted bans. Decisions do not
 * wait for it: see `src/store/ended-bans.ts`. Safe to repeat and to run in several processes: each transaction finds
 * only bans that are still stored. A failure for one user, community or channel does not affect the others.
 *
 * @param signal ends the work after the current transaction
 */
export async function liftEndedBans(context: Context, networkId: string, signal?: AbortSignal): Promise<void> {
  // Communities precede channels: the end of a ban from a community also ends the ban from its chat.
  for (const find of [liftEndedUserBans, liftEndedCommunityBans, liftEndedChannelBans]) {
    for (const { ids, run } of await find(context, networkId)) {
      if (signal?.aborted) return;
      await run().catch((err: unknown) => context.warn?.({ err, ...ids }, 'the end of a ban could not be stored'));
    }
  }
}
