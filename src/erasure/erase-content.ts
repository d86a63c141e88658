import type { Collection, Document } from 'mongodb';
import type { Context } from '../context.ts';
import { deleteComment } from '../domain/comment/delete-comment.ts';
import { deleteMessage } from '../domain/message/delete-message.ts';
import { deletePost } from '../domain/post/delete-post.ts';
import { deleteStory } from '../domain/story/delete-story.ts';
import { OperationError } from '../errors.ts';
import type { Collections } from '../store/collections.ts';
import { eachBatch } from '../store/keyset.ts';
import { emptyPostDetails, type FlagRecord } from '../store/records/content.ts';
import type { ErasedContent } from '../store/records/erasure.ts';
import { eraseFlagDetails } from './erase-flags.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

/** Records of one batch: each deletion is a transaction with its counters and events. */
const BATCH = 100;

interface Kind {
  collection: 'posts' | 'comments' | 'stories' | 'messages';
  author: 'postedUserId' | 'userId';
  id: 'postId' | 'commentId' | 'storyId' | 'messageId';
  flaggedAs: FlagRecord['referenceType'];
  /** Deletes a live record as a moderator would. */
  remove(context: Context, id: string): Promise<unknown>;
  /** The fields of a record without its content. */
  empty: Document;
}

const KINDS: readonly Kind[] = [
  {
    collection: 'comments',
    author: 'userId',
    id: 'commentId',
    flaggedAs: 'comment',
    remove: (context, commentId) => deleteComment(context, { commentId }),
    empty: { data: {}, metadata: {}, mentionees: [], attachments: [] },
  },
  {
    collection: 'posts',
    author: 'postedUserId',
    id: 'postId',
    flaggedAs: 'post',
    remove: (context, postId) => deletePost(context, { postId }),
    empty: { data: {}, ...emptyPostDetails() },
  },
  {
    collection: 'stories',
    author: 'userId',
    id: 'storyId',
    flaggedAs: 'story',
    remove: (context, storyId) => deleteStory(context, { storyId }),
    empty: { data: {}, items: [], metadata: {}, mentionedUsers: [], referenceId: null },
  },
  {
    collection: 'messages',
    author: 'userId',
    id: 'messageId',
    flaggedAs: 'message',
    remove: (context, messageId) => deleteMessage(context, { messageId }),
    empty: {
      data: {},
      metadata: {},
      fileId: null,
      thumbnailFileId: null,
      tags: [],
      mentionedUsers: [],
      referenceId: null,
    },
  },
];

/** For each kind of content: removes the details of flags on it and, on request, the content. */
export function contentSteps(content: ErasedContent): ErasureStep[] {
  return KINDS.map((kind) => ({ name: kind.collection, run: (run) => eraseKind(run, kind, content === 'remove') }));
}

async function eraseKind(run: ErasureRun, kind: Kind, isRemoved: boolean): Promise<void> {
  const { networkId, userId } = run.erasure;
  const { author, id } = kind;
  const collection = collectionOf(run.newContext().store.collections, kind);
  const cursor = collection
    .find({ networkId, [author]: userId })
    .sort({ createdAt: 1, _id: 1 })
    .project({ [id]: 1, isDeleted: 1 })
    .batchSize(BATCH);
  await eachBatch<Document>(cursor, async (batch) => {
    await run.proceed();
    const ids = batch.map((record) => record[id] as string);
    await eraseFlagDetails(run, kind.flaggedAs, ids);
    if (isRemoved) await removeBatch(run, kind, batch);
    return true;
  });
}

async function removeBatch(run: ErasureRun, kind: Kind, batch: readonly Document[]): Promise<void> {
  const { networkId, userId } = run.erasure;
  const { author, id, empty } = kind;
  for (const record of batch) {
    if (record.isDeleted) continue;
    await run.proceed();
    await removeLive(run, kind, record[id] as string);
  }
  const ids = batch.map((record) => record[id] as string);
  const { collections } = run.newContext().store;
  await collections.searchEntries.deleteMany({ networkId, recordId: { $in: ids } });
  const those = { networkId, [author]: userId, [id]: { $in: ids } };
  await collectionOf(collections, kind).updateMany(those, { $set: { ...empty, isDeleted: true } });
}

/** A record in a place that is deleted itself has nothing that counts it. */
async function removeLive(run: ErasureRun, kind: Kind, recordId: string): Promise<void> {
  try {
    await kind.remove(run.newContext(), recordId);
  } catch (error) {
    if (!(error instanceof OperationError) || error.errorName !== 'NOT_FOUND') throw error;
  }
}

function collectionOf(collections: Collections, { collection }: Kind): Collection<Document> {
  return collections[collection] as unknown as Collection<Document>;
}
