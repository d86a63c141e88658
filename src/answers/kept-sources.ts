import { estimateBytes } from '../lib/estimate-bytes.ts';
import type { Source, Sources } from './read-log.ts';
import { createSharedValues, type Shared } from './shared-values.ts';

/** Sources that answers to one query have in common. */
interface Group {
  query: string;
  sources: ReadonlyArray<Shared<Source>>;
  /** Number of the answers. */
  uses: number;
}

/** The sources of a kept answer: those of its group, and its own. */
export interface KeptSources extends Pick<Sources, 'validFrom' | 'validUntil'> {
  group: Group;
  own: ReadonlyArray<Shared<Source>>;
}

/** The sources of kept answers. Equal ones are kept once. */
export interface SourcePool {
  /** Estimated heap of all sources and groups, without the answers' own places. */
  readonly bytes: number;
  /** Keeps what an answer was made from. @param query of the answer: answers to one query have similar sources */
  keep(networkId: string, query: string, sources: Sources): KeptSources;
  /** Later answers do not refer to the group of these sources. */
  retire(sources: KeptSources): void;
  release(networkId: string, sources: KeptSources): void;
}

/** Heap of a source and of a group with their place in a map, without texts and places. */
const SOURCE_BYTES = 160;
const GROUP_BYTES = 160;
/** Heap of the place of a source in a group or an answer. */
export const PLACE_BYTES = 8;
/** The least part of an answer's sources that its group has. */
const MIN_COMMON = 0.5;

export function createSourcePool(): SourcePool {
  const shared = createSharedValues<Source>({
    keyOf: ({ text }) => text,
    isEqual: (one, other) => one.fingerprint === other.fingerprint,
    bytesOf,
  });
  const groups = new Map<string, Group>();
  let groupBytes = 0;

  function createGroup(query: string, sources: Group['sources']): Group {
    const group = { query, sources, uses: 0 };
    groups.set(query, group);
    groupBytes += bytesOfGroup(group);
    return group;
  }

  function retire({ group }: KeptSources): void {
    if (groups.get(group.query) === group) groups.delete(group.query);
  }

  return {
    get bytes() {
      return shared.bytes + groupBytes;
    },
    keep(networkId, query, { all, validFrom, validUntil }) {
      const used = all.map((source) => shared.use(networkId, source));
      const present = new Set(used);
      let group = groups.get(query);
      if (group?.sources.every((source) => present.has(source))) {
        // The group has used them already.
        for (const source of group.sources) shared.release(networkId, source);
      } else {
        const common = group?.sources.filter((source) => present.has(source)) ?? [];
        group = createGroup(query, common.length < MIN_COMMON * used.length ? used : common);
      }
      group.uses += 1;
      for (const source of group.sources) present.delete(source);
      return { group, own: [...present], validFrom, validUntil };
    },
    retire,
    release(networkId, kept) {
      for (const source of kept.own) shared.release(networkId, source);
      const { group } = kept;
      group.uses -= 1;
      if (group.uses > 0) return;
      groupBytes -= bytesOfGroup(group);
      retire(kept);
      for (const source of group.sources) shared.release(networkId, source);
    },
  };
}

export const sourcesOf = ({ group, own }: KeptSources): Source[] => [...group.sources, ...own];

const bytesOfGroup = ({ sources }: Group): number => GROUP_BYTES + PLACE_BYTES * sources.length;

function bytesOf(source: Source): number {
  const what = source.kind === 'load' ? source.key : source.kind === 'list' ? source.query.filter : null;
  return SOURCE_BYTES + estimateBytes(source.text) + estimateBytes(source.fingerprint) + estimateBytes(what);
}
