import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { type CommentRecord, EMBEDDED_IDS } from '../../store/records/content.ts';
import { together } from '../../store/transaction.ts';
import { insertInto, updateOneOf } from '../../store/write-together.ts';
import { requireStillVisible } from '../community/members/require-still-visible.ts';
import { requireAllowedText } from '../content-rules/require-allowed-text.ts';
import { validate } from '../input.ts';
import { requireStillOnFeed } from '../user/follows/require-still-on-feed.ts';
import { mentionedUsers, requireStillMentionable } from '../user/lookup/mentioned-users.ts';
import { commentEvent, commentedStoryEvents } from './comment-events.ts';
import { type CreateCommentInput, createCommentInput, imagesOf, kindsOf } from './comment-input.ts';
import { commentable, commentsLock, countOnReference, invalidateComment } from './commentable.ts';
import type { Reference } from './list-comments.ts';
import { nextSegment } from './next-segment.ts';

/**
 * Comments on a post, story or content, or replies to a comment. Every user who sees it may comment.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the record, the parent or a file; BAD_REQUEST for an
 *   unpublished post; FORBIDDEN where stories accept no comments, and on the feed of a user if one of the two blocks
 *   the other
 */
export async function createComment(context: Context, input: CreateCommentInput): Promise<CommentRecord> {
  const { referenceId, parentId, data, attachments, ...given } = validate(createCommentInput, input);
  const reference: Reference = { referenceType: given.referenceType ?? 'post', referenceId };
  const [on, parent, mentionees, pictures] = await Promise.all([
    commentable(context, reference),
    parentId ? parentOf(context, reference, parentId) : null,
    mentionedUsers(context, given.mentionees ?? []),
    imagesOf(context, attachments ?? []),
    requireAllowedText(context, [data?.text]),
  ]);
  const content = { data: data?.text ? { text: data.text } : {}, attachments: pictures };
  const lone = newComment(context, {
    ...reference,
    ...content,
    ...kindsOf(content),
    mentionees,
    metadata: given.metadata ?? {},
    targetType: on.targetType,
    targetId: on.targetId,
    path: on.path,
    parent,
  });
  const comment = await context.transaction(
    async (session) => {
      await requireStillOnFeed(context, session, on);
      const segmentNumber = await nextSegment(context, session, reference);
      const numbered = { ...lone, segmentNumber };
      const change = { commentId: lone.commentId, isTopLevel: !parent, by: 1 } as const;
      await together(session, [
        () => requireStillMentionable(context, session, mentionees),
        () => countOnReference(context, session, { ...reference, ...change }),
        on.targetType === 'community' && (() => requireStillVisible(context, session, { communityId: on.targetId })),
        parent && (() => countReply(context, session, lone)),
        () => insertInto(context.store.collections.comments, [numbered], session),
        () =>
          appendEvents(context, session, [
            commentEvent('comment.created', numbered),
            ...(parent ? [commentEvent('comment.replied', numbered)] : []),
            ...commentedStoryEvents(numbered),
          ]),
      ]);
      return numbered;
    },
    commentsLock(context, reference),
  );
  invalidateComment(context, comment);
  return comment;
}

async function parentOf(context: Context, reference: Reference, commentId: string): Promise<CommentRecord> {
  const parent = await context.load.comments.load(commentId);
  const isHere = parent?.referenceType === reference.referenceType && parent.referenceId === reference.referenceId;
  if (!parent || !isHere || parent.isDeleted) throw notFound('Parent comment');
  return parent;
}

/** @throws {OperationError} NOT_FOUND when the parent was deleted meanwhile */
async function countReply(
  context: Context,
  session: ClientSession,
  { networkId, commentId, parentId }: CommentRecord,
): Promise<void> {
  const matchedCount = await updateOneOf(
    context.store.collections.comments,
    {
      filter: { networkId, commentId: parentId!, isDeleted: false },
      update: { $inc: { childrenNumber: 1 }, $push: { children: { $each: [commentId], $slice: -EMBEDDED_IDS } } },
    },
    session,
  );
  if (matchedCount === 0) throw notFound('Parent comment');
}

type Given = Omit<
  CommentRecord,
  | '_id'
  | 'networkId'
  | 'createdAt'
  | 'updatedAt'
  | 'commentId'
  | 'userId'
  | 'userInternalId'
  | 'parentId'
  | 'rootId'
  | 'flagCount'
  | 'hashFlag'
  | 'reactionsCount'
  | 'reactions'
  | 'childrenNumber'
  | 'segmentNumber'
  | 'children'
  | 'isDeleted'
  | 'editedAt'
> & { parent: CommentRecord | null };

function newComment(context: Context, { parent, path, ...given }: Given): CommentRecord {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const _id = new ObjectId();
  const commentId = _id.toHexString();
  const now = context.now();
  return {
    ...given,
    _id,
    networkId,
    commentId,
    path: `${path}/comment/${commentId}`,
    userId,
    userInternalId,
    parentId: parent?.commentId ?? null,
    rootId: parent?.rootId ?? commentId,
    flagCount: 0,
    hashFlag: null,
    reactionsCount: 0,
    reactions: {},
    childrenNumber: 0,
    segmentNumber: 0,
    children: [],
    isDeleted: false,
    editedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
