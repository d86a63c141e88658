import { type Context, viewerOf } from '../../../context.ts';
import { createLoaders } from '../../../store/loaders.ts';

/**
 * Runs several operations in one transaction: all of their changes, events and audit entries are committed, or none.
 * @param work receives the context with which to call the operations
 */
export async function inOneTransaction(context: Context, work: (own: Context) => Promise<void>): Promise<void> {
  const { networkId } = viewerOf(context);
  let sideEffects: Array<() => Promise<void> | void> = [];
  await context.transaction(async (session) => {
    sideEffects = [];
    await work({
      ...context,
      // After a conflict the work is retried, and must not use records that were loaded before.
      load: createLoaders(context.store.batchers, networkId, context.reads, null, context.now),
      transaction: (nested) => nested(session),
      afterCommit: async (effect) => void sideEffects.push(effect),
    });
  });
  for (const effect of sideEffects) await context.afterCommit(effect);
}
