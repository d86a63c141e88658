import type { Collection, Document } from 'mongodb';
import { MAX_BATCH } from '../domain/batch.ts';
import { eachBatch } from '../store/keyset.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

/** Removes the texts of polls, video streams and rooms of the person. */
export const eraseMediaStep: ErasureStep = {
  name: 'media',
  async run(run) {
    const { polls, videoStreams, rooms } = run.newContext().store.collections;
    const { userId } = run.erasure;
    const texts = { title: '', description: '', thumbnailFileId: null, metadata: {} };
    await erase(run, polls, { author: { userId }, id: 'pollId', empty: { title: '', question: '', answers: [] } });
    await erase(run, videoStreams, { author: { userId }, id: 'streamId', empty: texts });
    await erase(run, rooms, { author: { createdBy: userId }, id: 'roomId', empty: texts });
  },
};

interface Kind {
  author: Document;
  id: string;
  /** The fields of a record without its content. */
  empty: Document;
}

async function erase<Stored extends Document>(
  run: ErasureRun,
  typed: Collection<Stored>,
  { author, id, empty }: Kind,
): Promise<void> {
  const collection = typed as unknown as Collection<Document>;
  const { networkId } = run.erasure;
  const cursor = collection
    .find({ networkId, ...author })
    .sort({ createdAt: 1, _id: 1 })
    .project({ [id]: 1 })
    .batchSize(MAX_BATCH);
  await eachBatch<Document>(cursor, async (batch) => {
    await run.proceed();
    const those = { networkId, [id]: { $in: batch.map((record) => record[id]) }, ...author };
    await collection.updateMany(those, { $set: { ...empty, isDeleted: true } });
    return true;
  });
}
