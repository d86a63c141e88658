import type { Db } from 'mongodb';
import { type CollectionName, INDEXES } from '../../src/store/collections.ts';
import { alternativesOf, conditionsOf, type Query } from './queries.ts';
import { explain, mustSort, type Reach, reachOf, stagesOf } from './reach.ts';

/** Queries of one collection with the same indexed fields and the same reach. */
export interface Shape {
  collection: CollectionName;
  /** The indexed fields, except the network, that a query compares with values; `network` if there are none. */
  by: string;
  reach: Reach;
  verbs: Set<Query['verb']>;
  /** The first field of each sort order. */
  orders: Set<string>;
  upserts: boolean;
  /** Whether it reads without an index. */
  scans: boolean;
  /** Whether it sorts in memory because no index has the order. */
  sorts: boolean;
}

/** Explains every query and groups them by shape, in the order of the collections. */
export async function shapesOf(db: Db, queries: readonly Query[]): Promise<Shape[]> {
  const shapes = new Map<string, Shape>();
  for (const query of queries) {
    const plan = await explain(db, query.explainable);
    const hasScan = stagesOf(plan).some(({ stage }) => stage === 'COLLSCAN');
    const isSorted = mustSort(plan);
    for (const filter of alternativesOf(query.filter)) {
      const { collection } = query;
      const by = fieldsOf(collection, filter);
      const reach = await reachOf(db, collection, filter);
      const name = `${collection} ${by} ${reach}`;
      const shape: Shape = shapes.get(name) ?? {
        ...{ collection, by, reach, verbs: new Set(), orders: new Set() },
        ...{ upserts: false, scans: false, sorts: false },
      };
      shapes.set(name, shape);
      shape.verbs.add(query.verb);
      const [order] = Object.keys(query.sort);
      if (order) shape.orders.add(order);
      shape.upserts ||= query.isUpsert;
      shape.scans ||= hasScan;
      shape.sorts ||= isSorted;
    }
  }
  const places = Object.keys(INDEXES);
  return [...shapes.values()].sort(
    (a, b) => places.indexOf(a.collection) - places.indexOf(b.collection) || (a.by < b.by ? -1 : 1),
  );
}

/** The indexed fields, except the network, that a filter compares with values; `network` if there are none. */
export function fieldsOf(collection: CollectionName, filter: object): string {
  const indexed = [...new Set(['_id', ...INDEXES[collection].flatMap(({ key }) => Object.keys(key))])];
  const named = conditionsOf(filter);
  const fields = indexed.filter((field) => field !== 'networkId' && named.get(field) === 'values');
  return fields.join(', ') || 'network';
}
