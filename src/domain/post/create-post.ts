import type { ClientSession } from 'mongodb';
import { canSharePost, refusalToPost } from '../../access/post.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents, type NewEvent } from '../../events/append-events.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { together } from '../../store/transaction.ts';
import { insertInto } from '../../store/write-together.ts';
import { type CommunityPlace, findCommunity } from '../community/get-community.ts';
import { assertMembershipUnchanged } from '../community/members/assert-membership-unchanged.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { validate } from '../input.ts';
import { attachRoom } from '../room/attach-to-post.ts';
import { indexNewPost } from '../search-index/index-record.ts';
import { mentionedUsers, requireStillMentionable } from '../user/lookup/mentioned-users.ts';
import { attachVideoStream } from '../video-stream/attach-to-post.ts';
import { contentOf } from './content/post-content.ts';
import { countPost, invalidatePost, postsLock } from './count-post.ts';
import { getPost, placeOfPost } from './get-post.ts';
import { childSummary, newChildren, newPost, type PostTarget } from './new-posts.ts';
import { postEvent, publicationEvents } from './post-events.ts';
import { type CreatePostInput, createPostInput, detailsOf, type NewPostInput } from './post-input.ts';

/**
 * Publishes a post in a community or on a feed. Where posts are reviewed, the post waits for a moderator unless its author
 * is one. Files, polls, streams and rooms of the post become its child posts.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the target or a file, poll, stream, room or shared
 *   post; BANNED; FORBIDDEN for users who are no members, and for sharing a post of a private community outside it;
 *   PERMISSION_DENIED where only moderators post and on other users' feeds; BAD_REQUEST for sharing an unpublished
 *   post; CONFLICT when the author's roles changed meanwhile
 */
export async function createPost(context: Context, input: CreatePostInput): Promise<PostRecord> {
  const given = validate(createPostInput, input);
  const { target, place } = await targetOf(context, given);
  const [{ children: contents, ...content }, mentionees, , original] = await Promise.all([
    contentOf(context, given),
    mentionedUsers(context, given.mentionees ?? []),
    requireAllowedText(context, [given.data?.title, given.data?.text]),
    given.sharedPostId ? sharedPost(context, given.sharedPostId, target) : null,
  ]);
  const draft = newPost(context, {
    ...target,
    ...content,
    mentionees,
    ...detailsOf(given),
    ...(original && { sharedPostId: original.postId, sharedUserId: original.postedUserId }),
  });
  const children = newChildren(context, draft, contents);
  const post = { ...draft, ...childSummary(children) };
  await context.transaction(
    async (session) => {
      const linked: NewEvent[] = [];
      for (const child of children) linked.push(...(await link(context, session, child)));
      await together(session, [
        () => countPost(context, session, { ...target, to: target.feedType }),
        place && (() => assertMembershipUnchanged(context, session, place)),
        () => insertInto(context.store.collections.posts, [post, ...children], session),
        () => indexNewPost(context, session, post),
        () => appendEvents(context, session, [postEvent('post.created', post), ...publicationEvents(post), ...linked]),
      ]);
      await together(session, [
        () => requireStillMentionable(context, session, mentionees),
        original && (() => countShare(context, session, original.postId)),
      ]);
    },
    postsLock(context, target),
  );
  invalidatePost(context, post);
  if (original) context.load.posts.clear(original.postId);
  return post;
}

async function targetOf(
  context: Context,
  { targetType, targetId }: NewPostInput,
): Promise<{ target: PostTarget; place: CommunityPlace | null }> {
  const viewer = viewerOf(context);
  const place = targetType === 'community' ? await findCommunity(context, targetId) : null;
  const owner = place ? place.community : targetType === 'user' ? await context.load.users.load(targetId) : null;
  if (!owner || owner.isDeleted) throw notFound(targetType === 'community' ? 'Community' : 'User');
  const { refusal, isReviewed } = refusalToPost(viewer, { place, targetId });
  if (refusal) throw new OperationError(refusal);
  const feedType = isReviewed ? 'reviewing' : 'published';
  const feed = owner.feeds.find((candidate) => candidate.feedType === feedType)!;
  const targetInternalId = owner._id.toHexString();
  return { target: { targetType, targetId, targetInternalId, feedId: feed.feedId, feedType }, place };
}

async function sharedPost(context: Context, postId: string, to: PostTarget): Promise<PostRecord> {
  const post = await getPost(context, { postId });
  if (!post || post.isDeleted) throw notFound('Shared post');
  if (post.feedType !== 'published' || post.parentPostId)
    throw new OperationError('BAD_REQUEST', { message: 'Only a published parent post can be shared.' });
  if (!canSharePost(await placeOfPost(context, post), to))
    throw new OperationError('FORBIDDEN', { message: 'Posts of a private community can only be shared inside it.' });
  return post;
}

async function countShare(context: Context, session: ClientSession, postId: string): Promise<void> {
  const { networkId } = viewerOf(context);
  const shared = { networkId, postId, isDeleted: false };
  const { matchedCount } = await context.store.collections.posts.updateOne(
    shared,
    { $inc: { sharedCount: 1 } },
    { session },
  );
  if (matchedCount === 0) throw notFound('Shared post');
}

/** Links a stream or room to the post that shows it. */
async function link(
  context: Context,
  session: ClientSession,
  { postId, targetType, targetId, data: { streamId, roomId } }: PostRecord,
): Promise<NewEvent[]> {
  return [
    ...(streamId ? await attachVideoStream(context, session, { streamId, postId }) : []),
    ...(roomId ? await attachRoom(context, session, { roomId, postId, targetType, targetId }) : []),
  ];
}
