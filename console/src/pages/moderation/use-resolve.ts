import { ResolveModerationItemsDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { notify } from '../../ui/notifications.tsx';
import type { Pending, Terms } from './decision-dialog.tsx';
import type { ItemKey } from './queue-item.ts';

/** The largest number of items of one call. */
const MAX_ITEMS = 50;

/** Resolves items, and reports how many and which failures. @param onResolved items that are no longer in the queue */
export function useResolve(onResolved: (keys: readonly ItemKey[]) => void) {
  const { isRunning, run } = useAction();

  async function resolve({ decision, items }: Pending, terms: Terms): Promise<void> {
    const keys = items.map(({ kind, itemId }) => ({ kind, itemId }));
    await run(async () => {
      let count = 0;
      const failures = new Set<string>();
      for (let from = 0; from < keys.length; from += MAX_ITEMS) {
        const input = { items: keys.slice(from, from + MAX_ITEMS), action: decision.action, ...terms };
        const { resolveModerationItems: answer } = await execute(ResolveModerationItemsDocument, { input });
        if (answer.__typename !== 'ResolveModerationItemsPayload') continue;
        // One that another moderator resolved is gone as well.
        const gone = answer.results.filter(({ code }) => code === null || code === 'NOT_FOUND');
        onResolved(gone);
        count += answer.results.filter(({ code }) => code === null).length;
        for (const { message } of answer.results) if (message) failures.add(message);
      }
      if (count > 0) notify(`${count === 1 ? 'One item is' : `${count} items are`} ${decision.done}.`);
      for (const message of failures) notify(message, 'error');
    });
  }

  return { isRunning, resolve };
}
