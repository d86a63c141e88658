import { type CommentRecord, EMBEDDED_IDS, type PostRecord, type StoryRecord } from '../../store/records/content.ts';
import type { SampleNetwork } from '../context.ts';

/** Numbers the comments of each reference, and sets the counters and previews of their parents, posts and stories. */
export function deriveComments(network: Partial<SampleNetwork>): void {
  const { posts = [], stories = [], comments = [] } = network;
  const references = new Map<string, PostRecord | StoryRecord>([
    ...posts.map((post) => [`post/${post.postId}`, post] as const),
    ...stories.map((story) => [`story/${story.storyId}`, story] as const),
  ]);
  const segments = new Map<string, number>();
  const byId = new Map(comments.map((comment) => [comment.commentId, comment]));
  for (const comment of comments) {
    const key = `${comment.referenceType}/${comment.referenceId}`;
    comment.segmentNumber = (segments.get(key) ?? 0) + 1;
    segments.set(key, comment.segmentNumber);
    const reference = references.get(key);
    if (comment.isDeleted || !reference) continue;
    reference.commentsCount += 1;
    if (comment.flagCount > 0) reference.hasFlaggedComment = true;
    deriveParent(comment, { reference, parent: comment.parentId ? byId.get(comment.parentId) : undefined });
  }
}

function deriveParent(
  comment: CommentRecord,
  above: { reference: PostRecord | StoryRecord; parent: CommentRecord | undefined },
): void {
  if (!above.parent) {
    keepNewest(above.reference.comments, comment.commentId);
    return;
  }
  above.parent.childrenNumber += 1;
  keepNewest(above.parent.children, comment.commentId);
}

/** Sets the child ids and counters of parent posts. */
export function deriveChildPosts(network: Partial<SampleNetwork>): void {
  const { posts = [] } = network;
  const byId = new Map(posts.map((post) => [post.postId, post]));
  for (const post of posts) {
    const parent = post.parentPostId ? byId.get(post.parentPostId) : undefined;
    if (post.isDeleted || !parent) continue;
    parent.childrenNumber += 1;
    keepNewest(parent.children, post.postId);
    if (post.flagCount > 0) parent.hasFlaggedChildren = true;
  }
}

/** Counts the live parent posts of each feed, and marks communities with flagged posts or comments. */
export function deriveFeeds(network: Partial<SampleNetwork>): void {
  const { users = [], communities = [], posts = [], comments = [] } = network;
  const feeds = new Map([...users, ...communities].flatMap((owner) => owner.feeds.map((feed) => [feed.feedId, feed])));
  const communitiesById = new Map(communities.map((community) => [community.communityId, community]));
  for (const post of posts) {
    if (post.isDeleted) continue;
    const community = post.targetType === 'community' ? communitiesById.get(post.targetId) : undefined;
    if (community && post.flagCount > 0) community.hasFlaggedPost = true;
    const feed = feeds.get(post.feedId);
    if (post.parentPostId || !feed) continue;
    feed.postCount += 1;
    feed.updatedAt = latest(feed.updatedAt, post.createdAt);
    if (community && post.feedType === 'published') community.postsCount += 1;
  }
  for (const comment of comments) {
    const community = comment.targetType === 'community' ? communitiesById.get(comment.targetId) : undefined;
    if (community && !comment.isDeleted && comment.flagCount > 0) community.hasFlaggedComment = true;
  }
}

function keepNewest(ids: string[], id: string): void {
  ids.push(id);
  if (ids.length > EMBEDDED_IDS) ids.shift();
}

/** The later of two times. */
export function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}
