import type { ClientSession, UpdateFilter } from 'mongodb';
import { canEditPost, canModeratePosts } from '../../access/post.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { together } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { requireCommunityRight } from '../community/members/require-community-right.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { omitUndefined, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { getNetworkSettings } from '../network/get-network-settings.ts';
import { requireTargetStillVisible } from '../require-target-still-visible.ts';
import { indexPost } from '../search-index/index-record.ts';
import { mentionedUsers, requireStillMentionable } from '../user/lookup/mentioned-users.ts';
import { actOnPost, isOwnPost } from './act-on-post.ts';
import { type AttachmentChange, replaceAttachments, writeAttachments } from './content/attachments.ts';
import { invalidatePost } from './count-post.ts';
import { getPost, placeOfPost } from './get-post.ts';
import { postEvent } from './post-events.ts';
import { detailsOf, hashtagsOf, NO_TEXT, type UpdatePostInput, updatePostInput, withText } from './post-input.ts';

/**
 * Updates a post. Absent fields are left unchanged, null clears. Attachments are replaced as a whole; those listed
 * again keep their child posts; thumbnails and clip options that the input contains are changed.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED for users who neither posted it nor moderate posts there;
 *   FORBIDDEN for its author during review, depending on the network's settings; INVALID_PARAMETERS for an update that
 *   leaves no content; BAD_REQUEST for attachments of a child post; CONFLICT when it changed meanwhile
 */
export async function updatePost(context: Context, input: UpdatePostInput): Promise<PostRecord> {
  const { postId, ...changes } = validate(updatePostInput, input);
  const post = await editablePost(context, postId);
  if (Object.keys(omitUndefined(changes)).length === 0) return post;
  const [mentionees, attached] = await Promise.all([
    changes.mentionees === undefined ? null : mentionedUsers(context, changes.mentionees ?? []),
    changes.attachments === undefined ? null : replaceAttachments(context, post, changes.attachments ?? []),
    requireAllowedText(context, [changes.data?.title, changes.data?.text]),
  ]);
  const data = changes.data === undefined ? undefined : withText(post.data, changes.data ?? NO_TEXT);
  const left = attached?.parentFields.childrenNumber ?? post.childrenNumber;
  if (data && left === 0 && isEmpty({ ...post, data })) throw emptyPostError();
  const now = context.now();
  const $set: Partial<PostRecord> = {
    ...(data && { data, hashtags: hashtagsOf(`${data.title ?? ''}\n${data.text ?? ''}`) }),
    ...detailsOf(changes),
    ...(mentionees && { mentionees }),
    updatedAt: now,
    editedAt: now,
  };
  const updated = await context.transaction(
    (session) => write(context, session, { post, $set, attached }),
    lockFor(context, 'post', postId),
  );
  invalidatePost(context, post);
  for (const { postId: childId } of [...(attached?.deleted ?? []), ...(attached?.changed ?? [])]) {
    context.load.posts.clear(childId);
  }
  return updated;
}

interface Change {
  post: PostRecord;
  $set: Partial<PostRecord>;
  attached: AttachmentChange | null;
}

async function write(context: Context, session: ClientSession, { post, $set, attached }: Change): Promise<PostRecord> {
  const { networkId, postId } = post;
  const { posts } = context.store.collections;
  if (!isOwnPost(context, post)) {
    const place = await placeOfPost(context, post);
    await requireCommunityRight(context, session, place, (now, membership) =>
      canModeratePosts(now, { ...place, membership }),
    );
  }
  // The filter on what was read rejects the later of two concurrent updates.
  const { updatedAt, children, childrenNumber } = post;
  const asRead = { updatedAt, ...(attached && { children, childrenNumber }) };
  const update: UpdateFilter<PostRecord> = { $set: { ...$set, ...attached?.parentFields } };
  const updated = await posts.findOneAndUpdate({ networkId, postId, isDeleted: false, ...asRead }, update, {
    session,
    returnDocument: 'after',
  });
  if (!updated) throw new OperationError('CONFLICT');
  const [marks] = await together(session, [
    attached && (() => writeAttachments(context, session, { ...attached, parent: updated })),
    isOwnPost(context, post) && (() => requireTargetStillVisible(context, session, post)),
    () => requireStillMentionable(context, session, $set.mentionees ?? []),
  ]);
  if ($set.data || $set.tags) await indexPost(context, session, updated);
  await recordAudit(context, session, isOwnPost(context, post) ? [] : [actOnPost(post)]);
  // Child posts get no events of their own.
  await appendEvents(context, session, [postEvent('post.updated', updated)]);
  return { ...updated, ...marks };
}

async function editablePost(context: Context, postId: string): Promise<PostRecord> {
  const post = await getPost(context, { postId });
  if (!post || post.isDeleted) throw notFound('Post');
  const refusal = await refusalToEdit(context, post);
  if (refusal) throw refusal;
  return post;
}

/** Why the viewer may not edit a post that they see and that is not deleted; null when they may. */
export async function refusalToEdit(context: Context, post: PostRecord): Promise<OperationError | null> {
  const viewer = viewerOf(context);
  const place = await placeOfPost(context, post);
  if (!canEditPost(viewer, post, place)) return new OperationError('PERMISSION_DENIED');
  if (post.feedType !== 'reviewing' || canModeratePosts(viewer, place)) return null;
  const { social } = await getNetworkSettings(context);
  if (social.isAllowEditPostWhenReviewingEnabled) return null;
  return new OperationError('FORBIDDEN', { message: 'A post in review cannot be changed.' });
}

function isEmpty({ dataType, data, sharedPostId }: PostRecord): boolean {
  return dataType === 'text' && Object.keys(data).length === 0 && !sharedPostId;
}

function emptyPostError(): OperationError {
  const detail = ['data.text: required unless there is an attachment or a shared post'];
  return new OperationError('INVALID_PARAMETERS', { detail, path: ['data', 'text'] });
}
