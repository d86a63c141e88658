import { canModerateComments } from '../../access/comment.ts';
import { canSeeCommunity, canSeeInsideCommunity } from '../../access/community.ts';
import { canModeratePosts, canSeePost } from '../../access/post.ts';
import { canManageStories, canSeeStory } from '../../access/story.ts';
import type { Viewer } from '../../context.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { CommunityRecord, CommunityUserRecord } from '../../store/records/community.ts';
import type { CommentRecord, PostRecord, StoryRecord } from '../../store/records/content.ts';
import type { Membership, Place } from '../memberships.ts';
import type { Scene, Stage } from '../scene.ts';
import { reactionRecord } from './reaction-record.ts';

/** Who sees something, without what is shown of it. */
type Sight = Pick<Scene, 'place'> & { sees(viewer: Viewer, membership: Membership | null): boolean };

const EVERYBODY: Sight = { place: null, sees: () => true };

async function communityOf(
  { load }: Stage,
  { targetType, targetId }: { targetType: string; targetId: string },
): Promise<CommunityRecord | null> {
  return targetType === 'community' ? load.communities.load(targetId) : null;
}

function placeOf(community: CommunityRecord | null): Place | null {
  return community && { type: 'community', id: community.communityId };
}

const memberOf = (membership: Membership | null) => membership as CommunityUserRecord | null;

function seesPost(post: PostRecord, community: CommunityRecord | null): Sight {
  return {
    place: placeOf(community),
    sees: (viewer, membership) => canSeePost(viewer, post, { community, membership: memberOf(membership) }),
  };
}

export async function postScene(stage: Stage, { postId }: PayloadOf<'post'>): Promise<Scene | null> {
  const post = await stage.load.posts.load(postId);
  if (!post) return null;
  const community = await communityOf(stage, post);
  // Once deleted, it is for moderators alone; that it was deleted is for everybody who saw it.
  const seen = stage.isRemoval ? { ...post, isDeleted: false } : post;
  const shown = stage.isRemoval ? withheldPost(post) : post;
  return {
    ...seesPost(seen, community),
    author: post.postedUserId,
    moderates: (viewer, membership) => canModeratePosts(viewer, { community, membership: memberOf(membership) }),
    payload: () => ({ post: shown }),
  };
}

function withheldPost(post: PostRecord): PostRecord {
  const nothing = { data: {}, metadata: {}, tags: [], hashtags: [], mentionees: [], comments: [], children: [] };
  return { ...post, ...nothing };
}

export async function postReactionScene(
  stage: Stage,
  { postId, reaction }: PayloadOf<'postReaction'>,
): Promise<Scene | null> {
  const scene = await postScene(stage, { postId });
  return (
    scene && withReaction(scene, reactionRecord(stage.event, { referenceType: 'post', referenceId: postId, reaction }))
  );
}

/** As lists of reactions do, it shows those of blocked users too; what a blocked user wrote stays hidden with them. */
function withReaction(scene: Scene, reaction: object): Scene {
  return { ...scene, payload: async (context) => ({ ...(await scene.payload(context)), reaction }) };
}

async function seesStory(stage: Stage, story: StoryRecord): Promise<Sight | null> {
  const { targetType } = story;
  const community = await communityOf(stage, story);
  if (targetType === 'community' && !community) return null;
  return {
    place: placeOf(community),
    sees(viewer, membership) {
      const member = memberOf(membership);
      if (community && !canSeeInsideCommunity(viewer, community, member)) return false;
      return canSeeStory(viewer, story, community && { membership: member }, stage.services.now());
    },
  };
}

export async function storyScene(stage: Stage, { storyId }: PayloadOf<'story'>): Promise<Scene | null> {
  const story = await stage.load.stories.load(storyId);
  const sight = story && (await seesStory(stage, stage.isRemoval ? { ...story, isDeleted: false } : story));
  if (!sight) return null;
  const nothing = { data: {}, items: [], metadata: {}, mentionedUsers: [], comments: [] };
  return {
    ...sight,
    author: story.userId,
    moderates: (viewer, membership) => canManageStories(viewer, sight.place && { membership: memberOf(membership) }),
    payload: () => ({ story: stage.isRemoval ? { ...story, ...nothing } : story }),
  };
}

export async function storyReactionScene(
  stage: Stage,
  { storyId, reaction }: PayloadOf<'storyReaction'>,
): Promise<Scene | null> {
  const scene = await storyScene(stage, { storyId });
  return (
    scene &&
    withReaction(scene, reactionRecord(stage.event, { referenceType: 'story', referenceId: storyId, reaction }))
  );
}

export async function commentScene(stage: Stage, { commentId }: PayloadOf<'comment'>): Promise<Scene | null> {
  const comment = await stage.load.comments.load(commentId);
  const sight = comment && (await seesReference(stage, comment));
  if (!sight) return null;
  const community = comment.targetType === 'community' ? {} : null;
  return {
    ...sight,
    author: comment.userId,
    moderates: (viewer, membership) => canModerateComments(viewer, { community, membership: memberOf(membership) }),
    // A deleted comment stays in its thread; what it said is for moderators, who can ask for it.
    payload: () => ({
      comment: comment.isDeleted ? { ...comment, data: {}, metadata: {}, mentionees: [], attachments: [] } : comment,
    }),
  };
}

/** Whoever sees what it is on. Content is kept by the application, and is for everybody. */
async function seesReference(stage: Stage, { referenceType, referenceId }: CommentRecord): Promise<Sight | null> {
  if (referenceType === 'content') return EVERYBODY;
  if (referenceType === 'story') {
    const story = await stage.load.stories.load(referenceId);
    return story && seesStory(stage, story);
  }
  const post = await stage.load.posts.load(referenceId);
  return post && seesPost(post, await communityOf(stage, post));
}

export async function commentReactionScene(
  stage: Stage,
  { commentId, reaction }: PayloadOf<'commentReaction'>,
): Promise<Scene | null> {
  const scene = await commentScene(stage, { commentId });
  return (
    scene &&
    withReaction(scene, reactionRecord(stage.event, { referenceType: 'comment', referenceId: commentId, reaction }))
  );
}

export async function communityScene(stage: Stage, { communityId }: PayloadOf<'community'>): Promise<Scene | null> {
  const community = await stage.load.communities.load(communityId);
  if (!community) return null;
  const seen = stage.isRemoval ? { ...community, isDeleted: false } : community;
  return {
    place: placeOf(community),
    sees: (viewer, membership) => canSeeCommunity(viewer, seen, memberOf(membership)),
    author: null,
    payload: () => ({ community }),
  };
}

/** The members are those whom the event is about; who has gone has a membership that says so. */
export async function communityUsersScene(
  stage: Stage,
  { communityId, userIds }: PayloadOf<'communityUsers'>,
): Promise<Scene | null> {
  const community = await stage.load.communities.load(communityId);
  if (!community) return null;
  return {
    place: placeOf(community),
    // The banned see that there is a public community, and nobody in it.
    sees: (viewer, membership) => canSeeInsideCommunity(viewer, community, memberOf(membership)),
    author: null,
    async payload({ load }) {
      const members = await Promise.all(userIds.map((userId) => load.communityUsers.load([communityId, userId])));
      return { community, communityUsers: members.filter((member) => member !== null) };
    },
  };
}
