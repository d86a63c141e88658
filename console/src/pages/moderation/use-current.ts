import { useState } from 'react';

/**
 * The current item of a list that changes: the same item while it remains, then the one that takes its place.
 *
 * @returns its index, -1 in an empty list, and a function that makes another item current
 */
export function useCurrent(items: ReadonlyArray<{ id: string }>): [index: number, select: (index: number) => void] {
  const [last, setLast] = useState({ id: items[0]?.id, index: 0 });
  const index = items.findIndex(({ id }) => id === last.id);
  const current = index >= 0 ? index : Math.min(last.index, items.length - 1);
  const select = (next: number) => {
    const bounded = Math.max(0, Math.min(next, items.length - 1));
    setLast({ id: items[bounded]?.id, index: bounded });
  };
  // What was shown as current remains current when items arrive before it.
  if (current >= 0 && (items[current]?.id !== last.id || current !== last.index)) select(current);
  return [current, select];
}
