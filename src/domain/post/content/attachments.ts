import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { unmarkAncestorsOfPost } from '../moderation/flagged-ancestors.ts';
import { childSummary, newChildren } from '../new-posts.ts';
import { ATTACHMENT_TYPES, type AttachmentInput } from '../post-input.ts';
import { liveChildrenOf } from './child-posts.ts';
import { attachmentsOf, structureOf } from './post-content.ts';

/** Changes to the child posts of a post. */
export interface AttachmentChange {
  parent: PostRecord;
  created: PostRecord[];
  /** Child posts to delete. */
  deleted: PostRecord[];
  /** The fields of the parent that follow from its children. */
  parentFields: Pick<PostRecord, 'childrenNumber' | 'children' | 'structureType'>;
}

/**
 * Plans which child posts a new list of attachments creates and deletes. Child posts with a poll, stream or room are
 * kept.
 * @throws {OperationError} BAD_REQUEST for a child post, and as `attachmentsOf`
 */
export async function replaceAttachments(
  context: Context,
  parent: PostRecord,
  attachments: readonly AttachmentInput[],
): Promise<AttachmentChange> {
  if (parent.parentPostId) throw new OperationError('BAD_REQUEST', { message: 'A child post has no attachments.' });
  const children = await liveChildrenOf(context, parent);
  const files = children.filter(({ dataType }) => (ATTACHMENT_TYPES as readonly string[]).includes(dataType));
  const held = children.flatMap(({ data }) => [fileOf(data) ?? [], data.thumbnailFileId ?? []].flat());
  const contents = await attachmentsOf(context, attachments, held);
  const present = new Map(files.map((child) => [contentKeyOf(child), child]));
  const wanted = new Set(contents.map(contentKeyOf));
  const created = newChildren(
    context,
    parent,
    contents.filter((content) => !present.has(contentKeyOf(content))),
  );
  const deleted = files.filter((child) => !wanted.has(contentKeyOf(child)));
  const left = [...children.filter((child) => !deleted.includes(child)), ...created];
  return {
    parent,
    created,
    deleted,
    parentFields: { ...childSummary(left), structureType: structureOf(left) },
  };
}

/**
 * @param parent as this transaction wrote it
 * @returns the flag fields of the parent that change with its children
 */
export async function writeAttachments(
  context: Context,
  session: ClientSession,
  { parent, created, deleted }: AttachmentChange,
): Promise<Pick<PostRecord, 'hasFlaggedChildren'>> {
  const { posts } = context.store.collections;
  const { networkId, postId: parentPostId, hasFlaggedChildren } = parent;
  if (created.length > 0) await posts.insertMany(created, { session });
  if (deleted.length === 0) return { hasFlaggedChildren };
  const removed = { networkId, postId: { $in: deleted.map(({ postId }) => postId) } };
  await posts.updateMany(removed, { $set: { isDeleted: true, updatedAt: context.now() } }, { session });
  if (!hasFlaggedChildren) return { hasFlaggedChildren };
  return unmarkAncestorsOfPost(context, session, { ...parent, parentPostId });
}

function fileOf({ fileId, videoFileId }: PostRecord['data']): string | null | undefined {
  return fileId ?? videoFileId?.original;
}

function contentKeyOf({ dataType, data }: Pick<PostRecord, 'dataType' | 'data'>): string {
  return `${dataType} ${fileOf(data)}`;
}
