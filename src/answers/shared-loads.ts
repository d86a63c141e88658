import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { Confirmed, SourceLoad, Sources } from './read-log.ts';

/** Heap of a load with its place in a map, without its key and texts. */
const LOAD_BYTES = 120;
/** Heap of the place of a load in an answer. */
export const PLACE_BYTES = 8;

/** A load of one or more kept answers. */
export interface SharedLoad extends SourceLoad, Confirmed {
  /** Number of the answers. */
  uses: number;
}

type Loads<Load extends SourceLoad> = Sources<Load>['loads'];

/**
 * The loads of kept answers. Answers to different viewers are mostly made from the same records: equal loads are kept
 * once, and compared once.
 */
export interface SharedLoads {
  /** Estimated heap of all loads. */
  readonly bytes: number;
  /** The kept loads that equal those of an answer, until they are released. */
  use(networkId: string, loads: Loads<SourceLoad>): Loads<SharedLoad>;
  release(networkId: string, loads: Loads<SharedLoad>): void;
}

export function createSharedLoads(): SharedLoads {
  const networks = new Map<string, Map<string, SharedLoad>>();
  let bytes = 0;

  function useOne(known: Map<string, SharedLoad>, load: SourceLoad): SharedLoad {
    let shared = known.get(load.text);
    // Answers that were made from an earlier value keep the load that they have until they are released.
    if (shared?.fingerprint !== load.fingerprint) {
      shared = { ...load, confirmedAt: null, uses: 0 };
      known.set(load.text, shared);
      bytes += bytesOf(shared);
    }
    shared.uses += 1;
    return shared;
  }

  return {
    get bytes() {
      return bytes;
    },
    use(networkId, loads) {
      const known = networks.get(networkId) ?? new Map<string, SharedLoad>();
      networks.set(networkId, known);
      return new Map(Array.from(loads, ([name, some]) => [name, some.map((load) => useOne(known, load))]));
    },
    release(networkId, loads) {
      const known = networks.get(networkId);
      for (const load of [...loads.values()].flat()) {
        load.uses -= 1;
        if (load.uses > 0) continue;
        bytes -= bytesOf(load);
        if (known?.get(load.text) === load) known.delete(load.text);
      }
      if (known?.size === 0) networks.delete(networkId);
    },
  };
}

const bytesOf = ({ key, text, fingerprint }: SharedLoad): number =>
  LOAD_BYTES + estimateBytes(key) + estimateBytes(text) + estimateBytes(fingerprint);
