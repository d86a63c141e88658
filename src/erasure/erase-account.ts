import type { Collection, Document, Filter } from 'mongodb';
import { MAX_BATCH } from '../domain/batch.ts';
import { finishMemberships } from '../domain/user/update-memberships.ts';
import { ANONYMOUS_PROFILE } from '../store/records/anonymous-profile.ts';
import type { ErasureRun, ErasureStep } from './erasure-run.ts';

/** Ends memberships and follows, and copies the anonymous name to all of them. */
export const endMembershipsStep: ErasureStep = {
  name: 'memberships',
  async run({ newContext, erasure: { networkId, userId } }) {
    const context = newContext();
    await finishMemberships(context, { networkId, userId });
    // Accounts that an earlier release deleted.
    await context.store.collections.users.updateOne({ networkId, userId }, { $set: ANONYMOUS_PROFILE });
  },
};

/** Deletes sessions with their device ids, push devices, topics, blocks of others and stored answers of the person. */
export const eraseSessionsStep: ErasureStep = {
  name: 'sessions',
  async run(run) {
    const { collections } = run.newContext().store;
    const { networkId, userId } = run.erasure;
    const own = { networkId, userId };
    await deleteAll(run, collections.sessions, own);
    await deleteAll(run, collections.pushDevices, own);
    await deleteAll(run, collections.mqttSessions, own);
    await deleteAll(run, collections.userBlocks, own);
    await deleteAll(run, collections.keyedWrites, own);
  },
};

async function deleteAll<Stored extends Document>(
  run: ErasureRun,
  collection: Collection<Stored>,
  filter: Filter<Stored>,
): Promise<void> {
  for (;;) {
    await run.proceed();
    const found = await collection.find(filter).project<Document>({ _id: 1 }).limit(MAX_BATCH).toArray();
    if (found.length === 0) return;
    await collection.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } });
  }
}
