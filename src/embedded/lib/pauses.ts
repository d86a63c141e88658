import { CommandError } from './errors.ts';
import { takeSpentSteps } from './steps.ts';

/** Yielded instead of an item: the consumer may yield the event loop before it continues. */
export type Pause = undefined;

/**
 * Called after a piece of work; returns whether the time slice is over. `weight` is the size of the work in documents.
 *
 * @throws CommandError 50 past the deadline
 */
export type IsTimeUp = (weight?: number) => boolean;

/** The {@link IsTimeUp} of callers that cannot pause. */
export function neverPause(): boolean {
  takeSpentSteps();
  return false;
}

/** Runs pausable work to its end without pauses. */
export function runToEnd<Result>(work: Generator<Pause, Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Collects all items; yields the pauses between them. */
export function* gather<Item>(
  items: Iterable<Item | Pause>,
  isTimeUp: IsTimeUp,
  onItem: (item: Item) => void,
): Generator<Pause, Item[]> {
  const all: Item[] = [];
  for (const item of items) {
    if (item === undefined || isTimeUp()) yield undefined;
    if (item === undefined) continue;
    onItem(item);
    all.push(item);
  }
  return all;
}

/** How many items, and how many of their bytes, are sorted without a pause; each item is compared about ten times. */
const RUN = 256;
const RUN_BYTES = 64 * 1024;

interface Sorting<Item> {
  compare(a: Item, b: Item): number;
  /** The approximate bytes that a comparison of the item reads. */
  sizeOf(item: Item): number;
  isTimeUp: IsTimeUp;
}

/** Sorts stably, with pauses: runs are sorted natively, then merged. */
export function* sortWithPauses<Item>(
  items: readonly Item[],
  { compare, sizeOf, isTimeUp }: Sorting<Item>,
): Generator<Pause, Item[]> {
  let from: Item[] = [];
  /** The start of each run, and the end of the last. */
  let starts = [0];
  for (let start = 0; start < items.length; start = from.length) {
    let end = start + 1;
    for (let bytes = sizeOf(items[start]!); end < items.length && end < start + RUN; end++) {
      bytes += sizeOf(items[end]!);
      if (bytes > RUN_BYTES) break;
    }
    for (const item of items.slice(start, end).sort(compare)) from.push(item);
    starts.push(end);
    if (isTimeUp(RUN / 8)) yield undefined;
  }
  let to = new Array<Item>(items.length);
  let bytes = 0;
  while (starts.length > 2) {
    const merged = [0];
    for (let run = 0; run < starts.length - 1; run += 2) {
      const middle = starts[run + 1]!;
      const end = starts[run + 2] ?? middle;
      let left = starts[run]!;
      let right = middle;
      for (let at = left; at < end; at++) {
        const takesLeft = right >= end || (left < middle && compare(from[left]!, from[right]!) <= 0);
        const item = takesLeft ? from[left++]! : from[right++]!;
        to[at] = item;
        bytes += sizeOf(item);
        if (at % RUN !== 0 && bytes < RUN_BYTES) continue;
        bytes = 0;
        if (isTimeUp(RUN / 32)) yield undefined;
      }
      merged.push(end);
    }
    starts = merged;
    [from, to] = [to, from];
  }
  return from;
}

/** The memory limit of a pipeline stage, as in MongoDB; beyond it MongoDB spills to disk, which this store does not. */
const MAX_STAGE_BYTES = 100 * 1024 * 1024;

/** Counts the memory that a stage holds. */
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

  /** @throws CommandError 292 beyond the limit, or the error that `refusal` creates */
  add(bytes: number, refusal = this.#refusal): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_STAGE_BYTES) throw refusal();
  }
}

/** Accumulators have a fixed memory limit in MongoDB too. */
export const accumulatorTooLarge = (name: string): CommandError =>
  new CommandError(
    146,
    `${name} used too much memory and cannot spill to disk. Memory limit: ${MAX_STAGE_BYTES} bytes`,
  );
