import { hashText } from '../lib/hash-text.ts';

/**
 * Counters, of one byte: many more than keys that are requested repeatedly, since a key whose counters are all shared seems
 * more frequent than it is.
 */
const COUNTERS = 65_536;
/** Requests after which all counters are halved, so that they describe recent requests. */
const HALVED_AFTER = 2 * COUNTERS;
/** Counters of each key. */
const PLACES = 4;

/** Estimates how often keys were requested recently, in a fixed amount of memory. */
export interface Frequencies {
  /** Counts a request. @returns requests of the key, this one included */
  add(key: string): number;
  /** Requests of a key: at least as many as there were since the last halving, at most 255. */
  of(key: string): number;
}

/**
 * A count-min sketch with aging, as in TinyLFU (Einziger, Friedman, Manes: "TinyLFU: A Highly Efficient Cache Admission
 * Policy", 2017). Keys that share a counter increase each other's estimate, of which the smallest is taken.
 */
export function createFrequencies(): Frequencies {
  const counters = new Uint8Array(COUNTERS);
  let added = 0;

  function halve(): void {
    for (let place = 0; place < COUNTERS; place += 1) counters[place]! >>= 1;
    added = 0;
  }

  function estimate(hash: number): number {
    let least = 255;
    for (let index = 0; index < PLACES; index += 1) least = Math.min(least, counters[placeOf(hash, index)]!);
    return least;
  }

  return {
    add(key) {
      added += 1;
      if (added > HALVED_AFTER) halve();
      const hash = hashText(key);
      const least = estimate(hash);
      if (least === 255) return least;
      // Only the smallest counters, so that frequent keys raise the estimates of others less.
      for (let index = 0; index < PLACES; index += 1) {
        const place = placeOf(hash, index);
        if (counters[place] === least) counters[place] = least + 1;
      }
      return least + 1;
    },
    of: (key) => estimate(hashText(key)),
  };
}

/** Mixes the hash differently for each of the counters. */
function placeOf(hash: number, index: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d + 2 * index * 0x1000193);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % COUNTERS;
}
