import { ownsPoll } from '../../access/poll.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { PollRecord } from '../../store/records/media.ts';
import { visiblePosts } from '../post/feeds/visible-posts.ts';
import { presentPoll } from './present-poll.ts';

/** A poll, or null unless the viewer created it or sees a post that contains it. */
export async function getPoll(context: Context, { pollId }: { pollId: string }): Promise<PollRecord | null> {
  const viewer = viewerOf(context);
  const [poll, posts] = await Promise.all([context.load.polls.load(pollId), context.load.postsOfPoll.load(pollId)]);
  if (!poll) return null;
  if (ownsPoll(viewer, poll)) return poll;
  if ((await visiblePosts(context, posts ?? [])).length === 0) return null;
  return presentPoll(context, poll);
}

/** The poll of a post, visible to everybody who sees the post; null if the post has none. */
export function pollOfPost(context: Context, { data }: PostRecord): MaybePromise<PollRecord | null> {
  if (!data.pollId) return null;
  return whenLoaded(context.load.polls.load(data.pollId), (poll) => poll && presentPoll(context, poll));
}
