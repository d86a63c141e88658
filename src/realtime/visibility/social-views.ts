import { canModerateComments } from '../../access/comment.ts';
import { canSeeCommunity, canSeeInsideCommunity } from '../../access/community.ts';
import { canSeeUserFeed, PUBLIC_FEED } from '../../access/follow.ts';
import { canModeratePosts, canSeePost } from '../../access/post.ts';
import { canManageStories, canSeeStory } from '../../access/story.ts';
import type { Viewer } from '../../context.ts';
import { feedPrivacy, hasPrivateFeeds } from '../../domain/user/follows/feed-privacy.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';
import {
  type CommentRecord,
  emptyPostDetails,
  type PostRecord,
  type StoryRecord,
} from '../../store/records/content.ts';
import type { EventView, ViewContext } from './event-view.ts';
import type { Membership, MembershipScope } from './memberships.ts';
import { reactionRecord } from './reaction-record.ts';

/** The visibility rule of a view, without its records. */
type Visibility = Pick<EventView, 'scope'> & { isVisible: EventView['isVisible'] };

const VISIBLE_TO_ALL: Visibility = { scope: null, isVisible: () => true };

async function communityOf(
  { load }: ViewContext,
  { targetType, targetId }: { targetType: string; targetId: string },
): Promise<CommunityRecord | null> {
  return targetType === 'community' ? load.communities.load(targetId) : null;
}

function scopeOf(community: CommunityRecord | null): MembershipScope | null {
  return community && { type: 'community', id: community.communityId };
}

const memberOf = (membership: Membership | null) => membership as CommunityUserRecord | null;

async function postVisibility(
  { services, load, event }: ViewContext,
  post: PostRecord,
  community: CommunityRecord | null,
): Promise<Visibility> {
  const isOnFeed = post.targetType === 'user';
  if (!isOnFeed || !(await hasPrivateFeeds(services.store, event.networkId))) {
    const privacy = isOnFeed ? PUBLIC_FEED : null;
    return {
      scope: scopeOf(community),
      isVisible: (viewer, membership) =>
        canSeePost(viewer, post, { community, membership: memberOf(membership), privacy }),
    };
  }
  return {
    scope: null,
    async isVisible(viewer) {
      const privacy = await feedPrivacy({ load, store: services.store }, viewer, post.targetId);
      return canSeePost(viewer, post, { community: null, membership: null, privacy });
    },
  };
}

async function seesFeed({ services, load }: ViewContext, viewer: Viewer, ownerId: string): Promise<boolean> {
  const privacy = await feedPrivacy({ load, store: services.store }, viewer, ownerId);
  return canSeeUserFeed(viewer, ownerId, privacy);
}

export async function loadPostView(context: ViewContext, { postId }: PayloadOf<'post'>): Promise<EventView | null> {
  const post = await context.load.posts.load(postId);
  if (!post) return null;
  const community = await communityOf(context, post);
  // Only moderators may see a deleted post, but everyone who could see it is notified of the deletion.
  const seen = context.isRemoval ? { ...post, isDeleted: false } : post;
  const shown = context.isRemoval ? withoutContent(post) : post;
  return {
    ...(await postVisibility(context, seen, community)),
    authorId: post.postedUserId,
    canModerate: (viewer, membership) => canModeratePosts(viewer, { community, membership: memberOf(membership) }),
    payload: () => ({ post: shown }),
  };
}

function withoutContent(post: PostRecord): PostRecord {
  return { ...post, data: {}, ...emptyPostDetails(), comments: [], children: [] };
}

export async function loadPostReactionView(
  context: ViewContext,
  { postId, reaction }: PayloadOf<'postReaction'>,
): Promise<EventView | null> {
  const view = await loadPostView(context, { postId });
  return (
    view && withReaction(view, reactionRecord(context.event, { referenceType: 'post', referenceId: postId, reaction }))
  );
}

/** Includes reactions by blocked users, as reaction lists do; content written by blocked users stays hidden. */
function withReaction(view: EventView, reaction: object): EventView {
  return { ...view, payload: async (context) => ({ ...(await view.payload(context)), reaction }) };
}

export async function loadLiveReactionView(
  context: ViewContext,
  { postId, reactions, ...user }: PayloadOf<'liveReaction'>,
): Promise<EventView | null> {
  const view = await loadPostView(context, { postId });
  if (!view) return null;
  return {
    ...view,
    async payload(context) {
      const { post } = await view.payload(context);
      return { post, liveReactions: reactions.map((reaction) => ({ ...reaction, ...user, post })) };
    },
  };
}

async function storyVisibility(context: ViewContext, story: StoryRecord): Promise<Visibility | null> {
  const { targetType } = story;
  const community = await communityOf(context, story);
  if (targetType === 'community' && !community) return null;
  const isPrivate = !community && (await hasPrivateFeeds(context.services.store, context.event.networkId));
  const hasPassed = (time: Date) => time <= context.services.now();
  return {
    scope: scopeOf(community),
    isVisible(viewer, membership) {
      const member = memberOf(membership);
      if (community && !canSeeInsideCommunity(viewer, community, member)) return false;
      if (!canSeeStory(viewer, story, community && { membership: member }, hasPassed)) return false;
      return isPrivate ? seesFeed(context, viewer, story.targetId) : true;
    },
  };
}

export async function loadStoryView(context: ViewContext, { storyId }: PayloadOf<'story'>): Promise<EventView | null> {
  const story = await context.load.stories.load(storyId);
  const visibility =
    story && (await storyVisibility(context, context.isRemoval ? { ...story, isDeleted: false } : story));
  if (!visibility) return null;
  const emptyContent = { data: {}, items: [], metadata: {}, mentionedUsers: [], comments: [] };
  return {
    ...visibility,
    authorId: story.userId,
    canModerate: (viewer, membership) =>
      canManageStories(viewer, visibility.scope && { membership: memberOf(membership) }),
    payload: () => ({ story: context.isRemoval ? { ...story, ...emptyContent } : story }),
  };
}

export async function loadStoryReactionView(
  context: ViewContext,
  { storyId, reaction }: PayloadOf<'storyReaction'>,
): Promise<EventView | null> {
  const view = await loadStoryView(context, { storyId });
  return (
    view &&
    withReaction(view, reactionRecord(context.event, { referenceType: 'story', referenceId: storyId, reaction }))
  );
}

export async function loadCommentView(
  context: ViewContext,
  { commentId }: PayloadOf<'comment'>,
): Promise<EventView | null> {
  const comment = await context.load.comments.load(commentId);
  const visibility = comment && (await referenceVisibility(context, comment));
  if (!visibility) return null;
  const community = comment.targetType === 'community' ? {} : null;
  return {
    ...visibility,
    authorId: comment.userId,
    canModerate: (viewer, membership) => canModerateComments(viewer, { community, membership: memberOf(membership) }),
    // A deleted comment stays in its thread without its content, which only moderators can query.
    payload: () => ({
      comment: comment.isDeleted ? { ...comment, data: {}, metadata: {}, mentionees: [], attachments: [] } : comment,
    }),
  };
}

/** A comment is visible to viewers of the post or story it belongs to; application content is visible to everyone. */
async function referenceVisibility(
  context: ViewContext,
  { referenceType, referenceId }: CommentRecord,
): Promise<Visibility | null> {
  if (referenceType === 'content') return VISIBLE_TO_ALL;
  if (referenceType === 'story') {
    const story = await context.load.stories.load(referenceId);
    return story && storyVisibility(context, story);
  }
  const post = await context.load.posts.load(referenceId);
  return post && postVisibility(context, post, await communityOf(context, post));
}

export async function loadCommentReactionView(
  context: ViewContext,
  { commentId, reaction }: PayloadOf<'commentReaction'>,
): Promise<EventView | null> {
  const view = await loadCommentView(context, { commentId });
  return (
    view &&
    withReaction(view, reactionRecord(context.event, { referenceType: 'comment', referenceId: commentId, reaction }))
  );
}

export async function loadCommunityView(
  context: ViewContext,
  { communityId }: PayloadOf<'community'>,
): Promise<EventView | null> {
  const community = await context.load.communities.load(communityId);
  if (!community) return null;
  const seen = context.isRemoval ? { ...community, isDeleted: false } : community;
  return {
    scope: scopeOf(community),
    isVisible: (viewer, membership) => canSeeCommunity(viewer, seen, memberOf(membership)),
    authorId: null,
    payload: () => ({ community }),
  };
}

/** Delivers the memberships of the users named in the event, including those of users who left. */
export async function loadCommunityUsersView(
  context: ViewContext,
  { communityId, userIds }: PayloadOf<'communityUsers'>,
): Promise<EventView | null> {
  const community = await context.load.communities.load(communityId);
  if (!community) return null;
  return {
    scope: scopeOf(community),
    // Banned users may see a public community, but not its members.
    isVisible: (viewer, membership) => canSeeInsideCommunity(viewer, community, memberOf(membership)),
    authorId: null,
    async payload({ load }) {
      const members = await Promise.all(userIds.map((userId) => load.communityUsers.load([communityId, userId])));
      return { community, communityUsers: members.filter((member) => member !== null) };
    },
  };
}
