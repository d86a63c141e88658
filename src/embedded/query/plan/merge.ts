import type { Pause } from '../../lib/index.ts';

interface Head<Item> {
  item: Item;
  /** Among equal items, those of earlier streams come first. */
  order: number;
  rest: Iterator<Item | Pause>;
}

/** Merges sorted streams, reading at most one item ahead in each. Pauses are passed on. */
export function* mergeOrdered<Item extends object>(
  streams: readonly Iterable<Item | Pause>[],
  compare: (a: Item, b: Item) => number,
): Generator<Item | Pause> {
  const heap: Head<Item>[] = [];
  const isBefore = (a: Head<Item>, b: Head<Item>): boolean => {
    const order = compare(a.item, b.item);
    return order < 0 || (order === 0 && a.order < b.order);
  };
  for (const [order, stream] of streams.entries()) {
    const rest = stream[Symbol.iterator]();
    const first = yield* nextItem(rest);
    if (first) heap.push({ item: first, order, rest });
  }
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) siftDown(heap, i, isBefore);
  while (heap.length > 0) {
    const head = heap[0]!;
    yield head.item;
    const next = yield* nextItem(head.rest);
    if (!next) {
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
    } else {
      head.item = next;
    }
    siftDown(heap, 0, isBefore);
  }
}

function* nextItem<Item extends object>(rest: Iterator<Item | Pause>): Generator<Pause, Item | undefined> {
  for (;;) {
    const next = rest.next();
    if (next.done) return undefined;
    if (next.value) return next.value;
    yield undefined;
  }
}

function siftDown<Item>(heap: Head<Item>[], from: number, isBefore: (a: Head<Item>, b: Head<Item>) => boolean): void {
  let at = from;
  while (true) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
    if (!isBefore(heap[child]!, heap[at]!)) return;
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}
