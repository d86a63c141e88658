import { CommandError } from './errors.ts';
import { spentSteps } from './steps.ts';

/** In the place of an item: the reader may let others work before it reads on. */
export type Pause = undefined;

/**
 * Called after a piece of work; `weight` is its size in documents. Whether it is time for a pause.
 *
 * @throws CommandError 50 past the deadline
 */
export type IsTimeUp = (weight?: number) => boolean;

/** For callers who cannot pause. */
export function never(): boolean {
  spentSteps();
  return false;
}

/** Gathers all items; yields the pauses between them. */
export function* gather<Item>(items: Iterable<Item | Pause>, onItem?: (item: Item) => void): Generator<Pause, Item[]> {
  const all: Item[] = [];
  for (const item of items) {
    if (item === undefined) {
      yield undefined;
      continue;
    }
    onItem?.(item);
    all.push(item);
  }
  return all;
}

const RUN = 256;

/** Sorts stably, with pauses: runs are sorted natively, then merged. `compare` must not throw. */
export function* sortWithPauses<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
  isTimeUp: IsTimeUp,
): Generator<Pause, Item[]> {
  if (items.length <= RUN) return items.toSorted(compare);
  let from: Item[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    for (const item of items.slice(start, start + RUN).sort(compare)) from.push(item);
    if (isTimeUp(RUN / 8)) yield undefined;
  }
  let to = new Array<Item>(items.length);
  for (let width = RUN; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      const middle = Math.min(start + width, items.length);
      const end = Math.min(start + 2 * width, items.length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesLeft = right >= end || (left < middle && compare(from[left]!, from[right]!) <= 0);
        to[at] = takesLeft ? from[left++]! : from[right++]!;
        if (at % RUN === 0 && isTimeUp(RUN / 32)) yield undefined;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** What a stage may hold in memory, as in MongoDB; there it then spills to disk, which this store does not. */
const MAX_STAGE_BYTES = 100 * 1024 * 1024;

/** Counts what a stage holds. */
export class StageMemory {
  #bytes = 0;
  readonly #refusal: () => CommandError;

  constructor(stage: string) {
    this.#refusal = () =>
      new CommandError(
        292,
        `Exceeded memory limit of ${MAX_STAGE_BYTES} bytes for ${stage}; the embedded store does not spill to disk, set MONGODB_URI to use a MongoDB server`,
      );
  }

  /** @throws CommandError 292 when it is too much, or what `refusal` makes */
  add(bytes: number, refusal = this.#refusal): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_STAGE_BYTES) throw refusal();
  }
}

/** An accumulator is not spilled in MongoDB either. */
export const accumulatorTooLarge = (name: string): CommandError =>
  new CommandError(
    146,
    `${name} used too much memory and cannot spill to disk. Memory limit: ${MAX_STAGE_BYTES} bytes`,
  );
