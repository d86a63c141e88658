import { seesWholeHistory } from '../../../access/moderation.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { countActsOn } from '../../audit/count-acts.ts';
import { countFlagsOn } from '../../flag/list-flags.ts';
import type { QueueItem } from './queue-item.ts';

/** The highest count; there may be more. */
export const MAX_HISTORY = 1_000;

const REMOVALS = ['deletePost', 'deleteComment', 'deleteMessage', 'deleteStory'];
const BANS = ['banUser', 'banCommunityMembers', 'banChannelMembers'];

/** What moderators did about an author before. */
export interface AuthorHistory {
  /** Content of the author that others deleted. */
  removals: number;
  /** Flags on the author and their content, except cleared ones. */
  flags: number;
  bans: number;
}

/**
 * The history of the author of an item: in the whole network for viewers who ban there, else in the community or channel of
 * the item; of an item that is in neither, outside of communities and channels. Removals and bans are counted as far back as the audit log reaches.
 */
export async function authorHistory(context: Context, item: QueueItem): Promise<AuthorHistory> {
  const { authorId, communityId, channelId } = item;
  const place = seesWholeHistory(viewerOf(context)) ? null : placeOf({ communityId, channelId });
  const acts = { affectedUserId: authorId, place, max: MAX_HISTORY };
  const [removals, bans, flags] = await Promise.all([
    countActsOn(context, { ...acts, actions: REMOVALS, resolution: 'delete' }),
    countActsOn(context, { ...acts, actions: BANS, resolution: 'banAuthor' }),
    countFlagsOn(context, { authorId, place, max: MAX_HISTORY }),
  ]);
  return { removals, flags, bans };
}

/** Conditions on the place of acts and flags. */
type Place = { readonly [field: string]: string | null };

function placeOf({ communityId, channelId }: Pick<QueueItem, 'communityId' | 'channelId'>): Place {
  if (channelId !== null) return { channelId };
  // A role for content elsewhere does not imply one in communities and channels, which can be private.
  return communityId !== null ? { communityId } : { communityId: null, channelId: null };
}
