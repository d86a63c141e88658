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
  /** Child posts that keep their file, with their new data. */
  changed: Array<Pick<PostRecord, 'postId' | 'data'>>;
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
  const changed = attachments.flatMap((attachment, index) => {
    const child = present.get(contentKeyOf(contents[index]!));
    const data = child && changedData(child.data, attachment);
    return data ? [{ postId: child.postId, data }] : [];
  });
  const left = [...children.filter((child) => !deleted.includes(child)), ...created];
  return {
    parent,
    created,
    deleted,
    changed,
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
  { parent, created, deleted, changed }: AttachmentChange,
): Promise<Pick<PostRecord, 'hasFlaggedChildren'>> {
  const { posts } = context.store.collections;
  const { networkId, postId: parentPostId, hasFlaggedChildren } = parent;
  const updatedAt = context.now();
  if (created.length > 0) await posts.insertMany(created, { session });
  for (const { postId, data } of changed) {
    await posts.updateOne({ networkId, postId, isDeleted: false }, { $set: { data, updatedAt } }, { session });
  }
  if (deleted.length === 0) return { hasFlaggedChildren };
  const removed = { networkId, postId: { $in: deleted.map(({ postId }) => postId) } };
  await posts.updateMany(removed, { $set: { isDeleted: true, updatedAt } }, { session });
  if (!hasFlaggedChildren) return { hasFlaggedChildren };
  return unmarkAncestorsOfPost(context, session, { ...parent, parentPostId });
}

function fileOf({ fileId, videoFileId }: PostRecord['data']): string | null | undefined {
  return fileId ?? videoFileId?.original;
}

/**
 * The data of a child post that is attached again. Absent options stay, null resets one.
 * @returns null if nothing changes
 */
function changedData(data: PostRecord['data'], attachment: AttachmentInput): PostRecord['data'] | null {
  const { type, thumbnailFileId, displayMode, isMuted } = attachment;
  const after = { ...data };
  if (type === 'clip' && displayMode !== undefined) after.displayMode = displayMode ?? 'fill';
  if (type === 'clip' && isMuted !== undefined) after.isMuted = isMuted ?? false;
  if ((type === 'clip' || type === 'video') && thumbnailFileId !== undefined) {
    if (thumbnailFileId === null) delete after.thumbnailFileId;
    else after.thumbnailFileId = thumbnailFileId;
  }
  const names = ['displayMode', 'isMuted', 'thumbnailFileId'] as const;
  return names.some((name) => after[name] !== data[name]) ? after : null;
}

function contentKeyOf({ dataType, data }: Pick<PostRecord, 'dataType' | 'data'>): string {
  return `${dataType} ${fileOf(data)}`;
}
