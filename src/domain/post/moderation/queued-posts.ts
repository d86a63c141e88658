import { type Context, viewerOf } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { FLAGGED, type QueueSelection, type QueueSource, queueFilters, queueSource } from '../../flag/queue-source.ts';
import { moderatedPosts } from '../feeds/visible-posts.ts';

/** A post in review is listed once, also if it is flagged; its child posts are not listed. */
const IN_REVIEW = { feedType: 'reviewing', parentPostId: null } as const;

/** Flagged posts of the moderation queue. @param isAlone whether the queue lists no posts in review beside them */
export function flaggedPosts(
  context: Context,
  selection: QueueSelection,
  { isAlone }: { isAlone: boolean },
): QueueSource {
  const notInReview = { $or: [{ feedType: { $ne: 'reviewing' as const } }, { parentPostId: { $ne: null } }] };
  return sourceOf(context, selection, { ...FLAGGED, ...(!isAlone && notInReview) });
}

/** Posts in review, of the moderation queue. */
export function reviewedPosts(context: Context, selection: QueueSelection): QueueSource {
  return sourceOf(context, selection, IN_REVIEW);
}

function sourceOf(context: Context, selection: QueueSelection, state: object): QueueSource {
  const { networkId } = viewerOf(context);
  return queueSource<PostRecord>({
    kind: 'post',
    collection: context.store.collections.posts,
    filters: queueFilters<PostRecord>(selection, { networkId, authorField: 'postedUserId', state }),
    moderated: (posts) => moderatedPosts(context, posts),
  });
}

/** A post, if the viewer moderates it. */
export async function moderatedPost(context: Context, postId: string): Promise<PostRecord | null> {
  const post = await context.load.posts.load(postId);
  return post && ((await moderatedPosts(context, [post]))[0] ?? null);
}
