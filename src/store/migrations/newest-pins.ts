import type { PinRecord, PinTargetRecord } from '../records/community.ts';
import { type Migration, readBatch } from './migration.ts';

/** Release 0.1.0 dated a pin slightly later than its target; a target must be as new as its newest pin. */
export const newestPins: Migration = {
  version: 2,
  name: 'pin targets as new as their pins',
  async run(step) {
    const { records: pins, next } = await readBatch<PinRecord>(step, { collection: 'pins' });
    const operations = pins.map(({ networkId, targetType, targetId, pinnedAt }) => ({
      updateOne: {
        filter: { networkId, targetType, targetId },
        update: { $max: { lastPinsUpdatedAt: pinnedAt } },
      },
    }));
    const targets = step.db.collection<PinTargetRecord>('pinTargets');
    if (operations.length > 0) await targets.bulkWrite(operations, { session: step.session });
    return next;
  },
};
