import { type Context, viewerOf } from '../../../context.ts';
import type { PostRecord } from '../../../store/records/content.ts';

/** The newest parent posts of the network that are counted, those on feeds of users included. */
const COUNTED_POSTS = 500;

type CountedPost = Pick<
  PostRecord,
  'targetType' | 'targetId' | 'feedType' | 'isDeleted' | 'commentsCount' | 'reactionsCount'
>;

/**
 * Published posts with their comments and reactions, by community, among the newest {@link COUNTED_POSTS} of the network.
 * The cost does not depend on the size of the network.
 */
export async function recentActivity(context: Context): Promise<Map<string, number>> {
  const { networkId } = viewerOf(context);
  const posts = await context.store.collections.posts
    .find({ networkId, parentPostId: null })
    .sort({ createdAt: -1, _id: -1 })
    .limit(COUNTED_POSTS)
    .project<CountedPost>({
      _id: 0,
      targetType: 1,
      targetId: 1,
      feedType: 1,
      isDeleted: 1,
      commentsCount: 1,
      reactionsCount: 1,
    })
    .toArray();
  const activity = new Map<string, number>();
  for (const { targetType, targetId, feedType, isDeleted, commentsCount, reactionsCount } of posts) {
    if (targetType !== 'community' || feedType !== 'published' || isDeleted) continue;
    activity.set(targetId, (activity.get(targetId) ?? 0) + 1 + commentsCount + reactionsCount);
  }
  return activity;
}
