import { deleteFile } from '../domain/file/change-file.ts';
import { OperationError } from '../errors.ts';
import { eachBatch } from '../store/keyset.ts';
import type { FileRecord } from '../store/records/media.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

const BATCH = 50;

type StoredFile = Pick<FileRecord, 'fileId' | 'isDeleted'>;

/** Deletes the files that the person uploaded: bytes, names, alternative texts and metadata of pictures. */
export const eraseFilesStep: ErasureStep = {
  name: 'files',
  async run(run) {
    const { networkId, userId } = run.erasure;
    const cursor = run
      .newContext()
      .store.collections.files.find({ networkId, userId })
      .sort({ createdAt: 1, _id: 1 })
      .project<StoredFile>({ _id: 0, fileId: 1, isDeleted: 1 })
      .batchSize(BATCH);
    await eachBatch<StoredFile>(cursor, async (batch) => {
      for (const file of batch) {
        await run.proceed();
        await eraseFile(run, file);
      }
      return true;
    });
  },
};

async function eraseFile({ newContext, erasure: { networkId } }: ErasureRun, file: StoredFile): Promise<void> {
  const { fileId } = file;
  const context = newContext();
  if (!file.isDeleted) {
    await deleteFile(context, { fileId }).catch((error: unknown) => {
      if (!(error instanceof OperationError) || error.errorName !== 'NOT_FOUND') throw error;
    });
  }
  // Again: a deletion that ended between the record and the bytes left the bytes.
  await context.files.remove(fileId);
  const described = { 'attributes.name': '', 'attributes.metadata.exif': {}, 'attributes.metadata.gps': {} };
  await context.store.collections.files.updateOne({ networkId, fileId }, { $set: { altText: null, ...described } });
}
