import type { Context } from '../../context.ts';
import { liftEndedChannelBans } from '../channel/moderation/lift-ended-channel-bans.ts';
import { liftEndedChannelMutes, liftEndedMemberMutes } from '../channel/moderation/lift-ended-mutes.ts';
import { liftEndedCommunityBans } from '../community/members/lift-ended-community-bans.ts';
import { liftEndedUserBans } from '../user/moderation/lift-ended-user-bans.ts';

// Communities precede channels: the end of a ban from a community also ends the ban from its chat.
const STEPS = [
  liftEndedUserBans,
  liftEndedCommunityBans,
  liftEndedChannelBans,
  liftEndedMemberMutes,
  liftEndedChannelMutes,
];

/**
 * Stores the ends of bans and mutes that ended by themselves, with the events and audit entries of lifted ones. Decisions
 * do not wait for it: see `src/store/ended-bans.ts` and `isMutedNow`. Safe to repeat and to run in several processes: each
 * transaction finds only bans and mutes that are still stored. A failure for one user, community or channel does not affect
 * the others.
 *
 * @param signal ends the work after the current transaction
 */
export async function liftEndedBansAndMutes(context: Context, networkId: string, signal?: AbortSignal): Promise<void> {
  for (const find of STEPS) {
    for (const { ids, run } of await find(context, networkId)) {
      if (signal?.aborted) return;
      await run().catch((err: unknown) =>
        context.warn?.({ err, ...ids }, 'the end of a ban or mute could not be stored'),
      );
    }
  }
}
