import { storedName } from '../../../src/domain/engagement/reaction-names.ts';
import { hashFlagOf } from '../../../src/domain/flag/hash-flag.ts';
import type { HashFlag } from '../../../src/store/records/base.ts';
import {
  type CommentRecord,
  EMBEDDED_IDS,
  type PostRecord,
  type StoryRecord,
} from '../../../src/store/records/content.ts';
import type { FeedRecord } from '../../../src/store/records/user.ts';
import { type Findings, groupBy, keyBy, type Snapshot } from './snapshot.ts';

/** `flagCount` counts the flags of a record; `hashFlag` contains exactly the users who flagged it. */
export function checkFlags(all: Snapshot, findings: Findings): void {
  const flaggers = groupBy(all.flags, (flag) => `${flag.referenceType}/${flag.referenceId}`);
  const check = (name: string, record: { flagCount: number; hashFlag: HashFlag | null }) => {
    const userIds = (flaggers.get(name) ?? []).map((flag) => flag.userId);
    flaggers.delete(name);
    findings.expect(`${name} flagCount`, record.flagCount, userIds.length);
    const isEmpty = !record.hashFlag || record.hashFlag.hash.every((word) => /^0*$/.test(word));
    if (userIds.length === 0) findings.require(`${name} hashFlag is empty`, isEmpty);
    else findings.expect(`${name} hashFlag`, record.hashFlag, hashFlagOf(userIds));
  };
  for (const record of all.users) check(`user/${record.userId}`, record);
  for (const record of all.posts) check(`post/${record.postId}`, record);
  for (const record of all.comments) check(`comment/${record.commentId}`, record);
  for (const record of all.stories) check(`story/${record.storyId}`, record);
  for (const record of all.messages) check(`message/${record.messageId}`, record);
  for (const name of flaggers.keys()) findings.require(`${name} is flagged but does not exist`, false);
}

/** `reactions` counts the reaction records by name, `reactionsCount` (`reactionCount` of messages) all of them. */
export function checkReactions(all: Snapshot, findings: Findings): void {
  const given = groupBy(all.reactions, (reaction) => `${reaction.referenceType}/${reaction.referenceId}`);
  const check = (name: string, counts: { [name: string]: number }, total: number) => {
    const reactions = given.get(name) ?? [];
    given.delete(name);
    const byName = groupBy(reactions, (reaction) => storedName(reaction.reactionName));
    const expected = [...byName].map(([reactionName, list]) => `${reactionName}: ${list.length}`).sort();
    const actual = Object.entries(counts).map(([reactionName, count]) => `${reactionName}: ${count}`);
    findings.expect(`${name} reactions`, actual.sort(), expected);
    findings.expect(`${name} reactionsCount`, total, reactions.length);
  };
  for (const record of all.posts) check(`post/${record.postId}`, record.reactions, record.reactionsCount);
  for (const record of all.comments) check(`comment/${record.commentId}`, record.reactions, record.reactionsCount);
  for (const record of all.stories) check(`story/${record.storyId}`, record.reactions, record.reactionsCount);
  for (const record of all.messages) check(`message/${record.messageId}`, record.reactions, record.reactionCount);
  for (const name of given.keys()) findings.require(`${name} has reactions but does not exist`, false);
}

/**
 * Comments of a reference are numbered 1, 2, 3 …. `commentsCount` counts those that are not deleted, including replies;
 * `comments` and `children` are the newest direct ones, oldest first.
 */
export function checkComments(all: Snapshot, findings: Findings): void {
  const bySegment = [...all.comments].sort((one, other) => one.segmentNumber - other.segmentNumber);
  const ofReference = groupBy(bySegment, (comment) => `${comment.referenceType}/${comment.referenceId}`);
  const ofParent = groupBy(bySegment.filter(isLive), (comment) => String(comment.parentId));
  const check = (name: string, record: PostRecord | StoryRecord) => {
    const comments = ofReference.get(name) ?? [];
    const live = comments.filter(isLive);
    const segments = comments.map((comment) => comment.segmentNumber);
    findings.expect(`${name} segments`, segments, upTo(comments.length));
    findings.expect(`${name} commentsCount`, record.commentsCount, live.length);
    findings.expect(`${name} comments`, record.comments, newestIds(live.filter(({ parentId }) => parentId === null)));
    checkMark(findings, { what: `${name} hasFlaggedComment`, actual: record.hasFlaggedComment, below: comments });
  };
  for (const post of all.posts) check(`post/${post.postId}`, post);
  for (const story of all.stories) check(`story/${story.storyId}`, story);
  for (const { referenceType, referenceId, lastSegment } of all.commentCounters) {
    const name = `${referenceType}/${referenceId}`;
    const segments = (ofReference.get(name) ?? []).map((comment) => comment.segmentNumber);
    findings.expect(`${name} segments up to the counter`, segments, upTo(lastSegment));
  }
  const byId = keyBy(all.comments, (comment) => comment.commentId);
  for (const comment of all.comments) {
    const name = `comment/${comment.commentId}`;
    const children = ofParent.get(comment.commentId) ?? [];
    findings.expect(`${name} childrenNumber`, comment.childrenNumber, children.length);
    findings.expect(`${name} children`, comment.children, newestIds(children));
    const parent = comment.parentId ? byId.get(comment.parentId) : undefined;
    findings.expect(`${name} rootId`, comment.rootId, parent ? parent.rootId : comment.commentId);
  }
}

/**
 * The number and ids of children cover child posts that are not deleted; the feeds of users and communities count parent
 * posts that are not deleted. `sharedCount` counts undeleted posts that share the post, `reach` the users who saw it.
 */
export function checkPosts(all: Snapshot, findings: Findings): void {
  const ofParent = groupBy(all.posts, (post) => String(post.parentPostId));
  const shares = groupBy(all.posts.filter(isLive), (post) => String(post.sharedPostId));
  const views = groupBy(all.views, (view) => `${view.referenceType}/${view.referenceId}`);
  for (const post of all.posts) {
    const name = `post/${post.postId}`;
    const children = ofParent.get(post.postId) ?? [];
    const live = children
      .filter((child) => !child.isDeleted)
      .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
    findings.expect(`${name} childrenNumber`, post.childrenNumber, live.length);
    findings.expect(`${name} children`, post.children, live.map(({ postId }) => postId).slice(-EMBEDDED_IDS));
    findings.require(`${name} sharedCount`, post.sharedCount >= (shares.get(post.postId)?.length ?? 0));
    findings.require(`${name} reach`, post.reach >= (views.get(name)?.length ?? 0));
    findings.require(`${name} impression`, post.impression >= post.reach);
    checkMark(findings, { what: `${name} hasFlaggedChildren`, actual: post.hasFlaggedChildren, below: children });
  }
  for (const story of all.stories) {
    const name = `story/${story.storyId}`;
    findings.require(`${name} reach`, story.reach >= (views.get(name)?.length ?? 0));
    findings.require(`${name} impression`, story.impression >= story.reach);
  }
  const ofFeed = groupBy(
    all.posts.filter((post) => !post.isDeleted && !post.parentPostId),
    (post) => post.feedId,
  );
  const checkFeeds = (name: string, feeds: FeedRecord[]) => {
    findings.expect(`${name} feeds`, feeds.map((feed) => feed.feedType).sort(), ['declined', 'published', 'reviewing']);
    for (const feed of feeds) {
      const posts = ofFeed.get(feed.feedId) ?? [];
      findings.expect(`${name} ${feed.feedType} postCount`, feed.postCount, posts.length);
      findings.require(
        `${name} ${feed.feedType} holds only its posts`,
        posts.every((post) => post.feedType === feed.feedType),
      );
      ofFeed.delete(feed.feedId);
    }
  };
  for (const user of all.users) checkFeeds(`user/${user.userId}`, user.feeds);
  for (const community of all.communities) checkFeeds(`community/${community.communityId}`, community.feeds);
  for (const feedId of ofFeed.keys()) findings.require(`feed ${feedId} has posts but no owner`, false);
}

/** `postsCount` counts published parent posts that are not deleted; marks show that the community has flagged content. */
export function checkCommunityContent(all: Snapshot, findings: Findings): void {
  const posts = groupBy(all.posts, (post) => `${post.targetType}/${post.targetId}`);
  const comments = groupBy(all.comments, (comment) => `${comment.targetType}/${comment.targetId}`);
  for (const community of all.communities) {
    const name = `community/${community.communityId}`;
    const inside = posts.get(name) ?? [];
    const published = inside.filter((post) => !post.isDeleted && !post.parentPostId && post.feedType === 'published');
    findings.expect(`${name} postsCount`, community.postsCount, published.length);
    checkMark(findings, { what: `${name} hasFlaggedPost`, actual: community.hasFlaggedPost, below: inside });
    const said = comments.get(name) ?? [];
    checkMark(findings, { what: `${name} hasFlaggedComment`, actual: community.hasFlaggedComment, below: said });
  }
}

/** A mark is set exactly while undeleted content below is flagged. */
function checkMark(
  findings: Findings,
  mark: { what: string; actual: boolean; below: Array<{ isDeleted: boolean; flagCount: number }> },
): void {
  const flagged = mark.below.filter((record) => record.flagCount > 0);
  if (flagged.some(isLive)) findings.expect(mark.what, mark.actual, true);
  if (flagged.length === 0) findings.expect(mark.what, mark.actual, false);
}

function isLive(record: { isDeleted: boolean }): boolean {
  return !record.isDeleted;
}

function newestIds(comments: CommentRecord[]): string[] {
  return comments.slice(-EMBEDDED_IDS).map((comment) => comment.commentId);
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
