import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { PostRecord } from '../../../store/records/content.ts';
import { unmarkAncestorsOfPost } from '../moderation/flagged-ancestors.ts';
import { childSummary, newChildren } from '../new-posts.ts';
import type { AttachmentInput } from '../post-input.ts';
import { liveChildrenOf } from './child-posts.ts';
import { attachmentsOf, structureOf } from './post-content.ts';

/** How the child posts of a post change. */
export interface Attached {
  parent: PostRecord;
  made: PostRecord[];
  /** Child posts that go. */
  gone: PostRecord[];
  /** What the parent keeps of its children from then on. */
  kept: Pick<PostRecord, 'childrenNumber' | 'children' | 'structureType'>;
}

const FILES = ['image', 'file', 'video', 'audio'];

/**
 * Plans the child posts of a post anew. Children that show a poll, a stream or a room stay as they are.
 * @throws {OperationError} BAD_REQUEST for a child post, and as `attachmentsOf`
 */
export async function replaceAttachments(
  context: Context,
  parent: PostRecord,
  attachments: readonly AttachmentInput[],
): Promise<Attached> {
  if (parent.parentPostId) throw new OperationError('BAD_REQUEST', { message: 'A child post has no attachments.' });
  const children = await liveChildrenOf(context, parent);
  const files = children.filter(({ dataType }) => FILES.includes(dataType));
  const held = children.flatMap(({ data }) => [fileOf(data) ?? [], data.thumbnailFileId ?? []].flat());
  const contents = await attachmentsOf(context, attachments, held);
  const standing = new Map(files.map((child) => [nameOf(child), child]));
  const wanted = new Set(contents.map(nameOf));
  const made = newChildren(
    context,
    parent,
    contents.filter((content) => !standing.has(nameOf(content))),
  );
  const gone = files.filter((child) => !wanted.has(nameOf(child)));
  const left = [...children.filter((child) => !gone.includes(child)), ...made];
  return {
    parent,
    made,
    gone,
    kept: { ...childSummary(left), structureType: structureOf(left) },
  };
}

/**
 * @param parent as it was written in this transaction
 * @returns the marks on the parent that change with its children
 */
export async function writeAttachments(
  context: Context,
  session: ClientSession,
  { parent, made, gone }: Attached,
): Promise<Pick<PostRecord, 'hasFlaggedChildren'>> {
  const { posts } = context.store.collections;
  const { networkId, postId: parentPostId, hasFlaggedChildren } = parent;
  if (made.length > 0) await posts.insertMany(made, { session });
  if (gone.length === 0) return { hasFlaggedChildren };
  const going = { networkId, postId: { $in: gone.map(({ postId }) => postId) } };
  await posts.updateMany(going, { $set: { isDeleted: true, updatedAt: context.now() } }, { session });
  if (!hasFlaggedChildren) return { hasFlaggedChildren };
  return unmarkAncestorsOfPost(context, session, { ...parent, parentPostId });
}

function fileOf({ fileId, videoFileId }: PostRecord['data']): string | null | undefined {
  return fileId ?? videoFileId?.original;
}

function nameOf({ dataType, data }: Pick<PostRecord, 'dataType' | 'data'>): string {
  return `${dataType} ${fileOf(data)}`;
}
