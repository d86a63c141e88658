import { MAX_BATCH } from '../domain/batch.ts';
import { eachBatch } from '../store/keyset.ts';
import type { FlagRecord } from '../store/records/content.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

type Reference = Pick<FlagRecord, 'referenceType' | 'referenceId'>;

/** Removes the details of flags that the person wrote, and of flags on the person; the flags themselves still count. */
export const eraseFlagsStep: ErasureStep = {
  name: 'flags',
  async run(run) {
    const { networkId, userId } = run.erasure;
    const { flags } = run.newContext().store.collections;
    const own = flags
      .find({ networkId, userId })
      .project<Reference>({ _id: 0, referenceType: 1, referenceId: 1 })
      .batchSize(MAX_BATCH);
    await eachBatch<Reference>(own, async (batch) => {
      for (const reference of batch) {
        await run.proceed();
        await flags.updateOne({ networkId, ...reference, userId }, { $set: { detail: '' } });
      }
      return true;
    });
    await eraseFlagDetails(run, 'user', [userId]);
  },
};

/** Removes the details of all flags on records of the person. */
export async function eraseFlagDetails(
  run: ErasureRun,
  referenceType: FlagRecord['referenceType'],
  ids: readonly string[],
): Promise<void> {
  const { networkId } = run.erasure;
  const filter = { networkId, referenceType, referenceId: { $in: [...ids] } };
  await run.newContext().store.collections.flags.updateMany(filter, { $set: { detail: '' } });
}
