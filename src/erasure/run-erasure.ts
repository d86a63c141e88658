import { randomUUID } from 'node:crypto';
import { createContext, type Services } from '../context.ts';
import { serviceViewer } from '../domain/session/service-viewer.ts';
import type { UserErasureRecord } from '../store/records/erasure.ts';
import type { ErasureRun } from './erasure-run.ts';
import { stepsOf } from './steps.ts';

/** How long a run holds an erasure after its last sign of life. */
const LEASE_MS = 60_000;
/** A lease is extended only if it was last extended longer ago, so that steps may ask before each record. */
const RENEW_AFTER_MS = 5_000;

type Key = Pick<UserErasureRecord, 'networkId' | 'userId'>;

/** Another process continues the erasure, or this one stops. */
class RunEnded extends Error {}

/** Continues the erasures that requests and ended processes left unfinished. @param signal ends the work after a batch */
export async function finishErasures(services: Services, networkId: string, signal?: AbortSignal): Promise<void> {
  const { userErasures } = services.store.collections;
  const running = await userErasures.find({ networkId, state: 'running' }).toArray();
  for (const erasure of running) if (!signal?.aborted) await runErasure(services, erasure, signal);
}

/**
 * Executes the steps of an erasure that are left, unless another process does. Never rejects: what fails is repeated by
 * {@link finishErasures}.
 */
export async function runErasure(services: Services, { networkId, userId }: Key, signal?: AbortSignal): Promise<void> {
  const key = { networkId, userId };
  const lease = randomUUID();
  try {
    await runSteps(services, key, { lease, signal });
  } catch (err) {
    if (err instanceof RunEnded || signal?.aborted) return;
    services.warn?.({ err, userId }, 'the data of a person is not completely erased; the erasure continues later');
  } finally {
    await release(services, key, lease);
  }
}

async function runSteps(
  services: Services,
  key: Key,
  { lease, signal }: { lease: string; signal: AbortSignal | undefined },
): Promise<void> {
  const { userErasures, users } = services.store.collections;
  const claimed = await userErasures.findOneAndUpdate(
    { ...key, state: 'running', leaseEndsAt: { $lte: services.now() } },
    { $set: { lease, leaseEndsAt: leaseEnd(services) } },
    { returnDocument: 'after' },
  );
  if (!claimed) return;
  const user = await users.findOne(key);
  let renewedAt = services.now().getTime();
  for (let erasure: UserErasureRecord = claimed; ; ) {
    const step = stepsOf(erasure).find(({ name }) => !erasure.completedSteps.includes(name));
    if (!step) return complete(services, erasure, lease);
    const run: ErasureRun = {
      erasure,
      internalId: user?._id.toHexString() ?? null,
      newContext: () => contextOf(services, erasure),
      async proceed() {
        if (signal?.aborted) throw new RunEnded();
        const time = services.now().getTime();
        if (time - renewedAt < RENEW_AFTER_MS) return;
        const renewed = { $set: { leaseEndsAt: leaseEnd(services) } };
        const { matchedCount } = await userErasures.updateOne({ ...key, lease }, renewed);
        if (matchedCount === 0) throw new RunEnded();
        renewedAt = time;
      },
    };
    await run.proceed();
    await step.run(run);
    // If the content is to be removed since, the steps start again.
    await userErasures.updateOne(
      { ...key, lease, requestedAt: erasure.requestedAt },
      { $addToSet: { completedSteps: step.name }, $set: { updatedAt: services.now() } },
    );
    const now = await userErasures.findOne({ ...key, lease });
    if (!now) throw new RunEnded();
    erasure = now;
  }
}

async function complete(services: Services, erasure: UserErasureRecord, lease: string): Promise<void> {
  const { networkId, userId, requestedAt } = erasure;
  const now = services.now();
  await services.store.collections.userErasures.updateOne(
    { networkId, userId, lease, requestedAt },
    { $set: { state: 'completed', completedAt: now, updatedAt: now, names: [] } },
  );
}

async function release({ store, now, warn }: Services, key: Key, lease: string): Promise<void> {
  const freed = { $set: { lease: null, leaseEndsAt: now() } };
  await store.collections.userErasures.updateOne({ ...key, lease }, freed).catch((err: unknown) => {
    warn?.({ err, userId: key.userId }, 'the lease of an erasure was not released; it ends within a minute');
  });
}

function leaseEnd({ now }: Services): Date {
  return new Date(now().getTime() + LEASE_MS);
}

/** Acts with all permissions in the name of the user who requested the erasure. */
function contextOf(services: Services, { networkId, requestedBy }: UserErasureRecord) {
  const viewer = { ...serviceViewer(networkId), userId: requestedBy };
  return { ...createContext(services, viewer), operation: 'eraseUser' };
}
