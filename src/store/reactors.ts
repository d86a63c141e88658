import type { BatchSource } from './batcher.ts';
import type { Find } from './find.ts';
import type { ReactionRecord } from './records/content.ts';

/** One reaction, without what only its own record shows. */
export type Reactor = Readonly<Pick<ReactionRecord, 'userId' | 'referenceType' | 'reactionName'>>;

/** The most reactions of a record for which {@link reactors} reads less than a lookup for each viewer. */
export const FEW_REACTIONS = 12;

export const REACTOR_FIELDS = ['referenceId', 'referenceType', 'userId', 'reactionName'] as const;
const PROJECTION = { _id: 0, ...Object.fromEntries(REACTOR_FIELDS.map((field) => [field, 1])) };

/**
 * Loads all reactions to the records of an id, of any type. For records with {@link FEW_REACTIONS} at most: unlike the
 * reactions of one viewer, the result is the same for all of them.
 */
export function reactors(find: Find): BatchSource<string, readonly Reactor[]> {
  return {
    collection: 'reactions',
    keyOf: (key) => key,
    filterOf: (networkId, key) => ({ networkId, referenceId: key }),
    async fetch(networkId, keys) {
      const found = new Map<string, Reactor[]>();
      const reactions = await find('reactions', { networkId, referenceId: { $in: keys } }, PROJECTION);
      for (const { referenceId, referenceType, userId, reactionName } of reactions) {
        const group = found.get(referenceId);
        const reactor = Object.freeze({ userId, referenceType, reactionName });
        if (group) group.push(reactor);
        else found.set(referenceId, [reactor]);
      }
      for (const group of found.values()) Object.freeze(group);
      return found;
    },
  };
}

/** Heap of a value of {@link reactors}. */
export function bytesOfReactors(group: readonly Reactor[]): number {
  return 64 + 200 * group.length;
}
