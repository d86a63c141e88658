import type { CommunityRecord } from '../../store/records/community.ts';
import type { PostRecord, ReactionRecord } from '../../store/records/content.ts';
import type { UserRecord } from '../../store/records/user.ts';
import {
  childPostRecord,
  commentRecord,
  flagRecord,
  mentionOf,
  postRecord,
  reactionRecord,
} from '../builders/content.ts';
import type { SampleNetwork } from '../context.ts';
import { deriveChildPosts, deriveComments, deriveFeeds } from '../derive/content.ts';
import { deriveFlags, deriveReactions } from '../derive/reactions.ts';
import { type Group, momentOf, type Plan, padded, userIdOf } from './plan.ts';
import { createRandom, type Random, scattered } from './random.ts';
import { sentence } from './words.ts';

const REACTION_NAMES = ['like', 'like', 'like', 'love', 'laugh', 'wow'] as const;
const CHILD_EVERY = 7;
const FLAGGED_EVERY = 97;

/** A post with its child posts, comments, reactions and flags. */
export type Thread = Pick<SampleNetwork, 'posts' | 'comments' | 'reactions' | 'flags'>;

export interface ThreadPlace {
  plan: Plan;
  /** Number among all parent posts. */
  index: number;
  target: { community: CommunityRecord } | { user: UserRecord };
  /** Users who comment and react, and who post unless the target is a user. */
  people: Group;
}

/** A parent post, sometimes with a child post, and its comments, reactions and flags; counters are already derived. */
export function generateThread(place: ThreadPlace): Thread {
  const { plan, index, target, people } = place;
  const random = createRandom(`post/${index}`);
  const scatteredIndex = (index * 7_919) % plan.comments.length;
  const posts = generatePosts(place, random);
  const [parent] = posts as [PostRecord];
  const comments = Array.from({ length: plan.comments[scatteredIndex] ?? 0 }, (_, number) =>
    commentRecord(plan.context, {
      on: parent,
      commentId: `comment-${padded(index)}-${number}`,
      userId: userIdOf(people.any(random)),
      text: sentence(random),
      createdAt: new Date(parent.createdAt.getTime() + (number + 1) * 60_000),
    }),
  );
  for (const comment of comments) answerSomebody(comment, { comments, random });
  const reactions = generateReactions(place, { parent, count: plan.reactions[scatteredIndex] ?? 0, random });
  for (const comment of comments) {
    if (random.next() >= 0.2) continue;
    const given = { referenceType: 'comment', referenceId: comment.commentId, reactionName: 'like' } as const;
    reactions.push(
      reactionRecord(plan.context, { ...given, userId: userIdOf(people.any(random)), createdAt: comment.createdAt }),
    );
  }
  const flags = index % FLAGGED_EVERY === 0 ? [flagOf(place, parent)] : [];
  const thread = { posts, comments, reactions, flags };
  deriveFlags(thread);
  deriveReactions(thread);
  deriveComments(thread);
  deriveChildPosts(thread);
  deriveFeeds({ ...thread, ...('user' in target ? { users: [target.user] } : { communities: [target.community] }) });
  return thread;
}

function generatePosts({ plan, index, target, people }: ThreadPlace, random: Random): PostRecord[] {
  const isOwn = 'user' in target;
  const author = isOwn ? target.user.userId : userIdOf(people.any(random));
  const parent = postRecord(plan.context, {
    postId: `post-${padded(index)}`,
    postedUserId: author,
    targetType: isOwn ? 'user' : 'community',
    targetId: isOwn ? target.user.userId : target.community.communityId,
    data: { text: sentence(random, 60) },
    tags: index % 5 === 0 ? ['news'] : [],
    mentionees: index % 10 === 0 ? [mentionOf(plan.context, userIdOf(people.any(random)))] : [],
    structureType: index % CHILD_EVERY === 0 ? 'image' : 'text',
    impression: 10 + random.below(1_000),
    reach: 1 + random.below(10),
    createdAt: plan.context.at(momentOf((index * 7_919) % plan.comments.length, plan.comments.length)),
  });
  if (index % CHILD_EVERY !== 0) return [parent];
  const data = { fileId: `avatar-${author}` };
  return [parent, childPostRecord(plan.context, parent, { postId: `${parent.postId}-1`, dataType: 'image', data })];
}

/** Makes a third of the comments replies to an earlier one at the top level. */
function answerSomebody(
  comment: SampleNetwork['comments'][number],
  { comments, random }: { comments: SampleNetwork['comments']; random: Random },
): void {
  const chance = random.next();
  const parent = comments[random.below(comments.length)];
  if (chance > 1 / 3 || !parent || parent.parentId || parent.createdAt >= comment.createdAt) return;
  comment.parentId = parent.commentId;
  comment.rootId = parent.rootId;
}

function generateReactions(
  { plan, people }: ThreadPlace,
  { parent, count, random }: { parent: PostRecord; count: number; random: Random },
): ReactionRecord[] {
  // One reaction per user, so there are no more reactions than users.
  const placeOf = scattered(people.count, random);
  return Array.from({ length: Math.min(count, people.count) }, (_, number) =>
    reactionRecord(plan.context, {
      referenceType: 'post',
      referenceId: parent.postId,
      reactionName: random.pick(REACTION_NAMES),
      userId: userIdOf(people.at(placeOf(number))),
      createdAt: new Date(parent.createdAt.getTime() + (number + 1) * 30_000),
    }),
  );
}

function flagOf({ plan, people }: ThreadPlace, parent: PostRecord): SampleNetwork['flags'][number] {
  return flagRecord(plan.context, {
    referenceType: 'post',
    referenceId: parent.postId,
    userId: userIdOf(people.at(0)),
    reason: 'Spam or scams',
    createdAt: parent.createdAt,
  });
}
