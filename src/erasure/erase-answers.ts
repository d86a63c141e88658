import { eachBatch } from '../store/keyset.ts';
import type { Json } from '../store/records/base.ts';
import type { IdempotencyRecord } from '../store/records/idempotency.ts';
import type { ErasureStep } from './erasure-run.ts';
import { redact } from './redact.ts';

const BATCH = 100;

/**
 * Redacts the answers that are stored for repetitions of writes by other users, which contain the records that they changed.
 * They remain, since a repetition without its answer would be executed again.
 */
export const eraseAnswersStep: ErasureStep = {
  name: 'storedAnswers',
  async run(run) {
    const { networkId, userId, content } = run.erasure;
    const { keyedWrites } = run.newContext().store.collections;
    await eachBatch<IdempotencyRecord>(keyedWrites.find({ networkId }).batchSize(BATCH), async (batch) => {
      await run.proceed();
      for (const write of batch) {
        const answer = redact(write.answer, userId, content) as Json;
        if (answer === write.answer) continue;
        await keyedWrites.updateOne({ networkId, userId: write.userId, key: write.key }, { $set: { answer } });
      }
      return true;
    });
  },
};
