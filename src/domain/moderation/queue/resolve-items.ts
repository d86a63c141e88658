import { z } from 'zod';
import { type Context, viewerOf } from '../../../context.ts';
import { type ErrorName, OperationError } from '../../../errors.ts';
import { validate } from '../../input.ts';
import { decisionFields, type ItemKey, itemKeyInput, resolveQueued } from './resolve-item.ts';

/** Maximum items of one call: each is a transaction of its own, and all must end within the time of a request. */
const MAX_ITEMS = 50;

export const resolveItemsInput = z.object({
  items: z
    .array(itemKeyInput)
    .min(1, 'at least 1')
    .max(MAX_ITEMS, `at most ${MAX_ITEMS}`)
    .transform((items) => [...new Map(items.map((item) => [`${item.kind} ${item.itemId}`, item])).values()])
    .describe('The items; repeated ones are ignored.'),
  ...decisionFields,
});

export interface ItemResult extends ItemKey {
  /** Why the item could not be resolved; null: it was. */
  code: ErrorName | null;
  message: string | null;
}

/**
 * Resolves items one after another, each in a transaction of its own: failures of some leave the others resolved.
 * @returns a result for each item, in their order
 * @throws {OperationError} INVALID_PARAMETERS
 */
export async function resolveItems(context: Context, input: z.input<typeof resolveItemsInput>): Promise<ItemResult[]> {
  viewerOf(context);
  const { items, ...decision } = validate(resolveItemsInput, input);
  const results: ItemResult[] = [];
  for (const item of items) results.push({ ...item, ...(await resultOf(ownTransactions(context), item, decision)) });
  return results;
}

async function resultOf(
  context: Context,
  item: ItemKey,
  decision: Parameters<typeof resolveQueued>[2],
): Promise<Pick<ItemResult, 'code' | 'message'>> {
  try {
    await resolveQueued(context, item, decision);
    return { code: null, message: null };
  } catch (error) {
    if (!(error instanceof OperationError) || error.errorName === 'UNAVAILABLE') throw error;
    return { code: error.errorName, message: error.message };
  }
}

/** Outside of the transaction of an idempotent write, in which the failure of an item would keep half of its changes. */
function ownTransactions(context: Context): Context {
  const { store, deadline } = context;
  return {
    ...context,
    transaction: (work, options) =>
      store.transaction(work, { ...(Number.isFinite(deadline) && { deadline }), ...options }),
    afterCommit: async (work) => work(),
  };
}
