import type { Document } from 'mongodb';
import type { CollectionName } from '../collections.ts';

/** Which records of a collection a result was made from. */
export interface Selection {
  collection: string;
  /** Top-level fields on whose values the result depends; null: any. */
  fields: readonly string[] | null;
  /** The value of the field in {@link GROUP_FIELDS} that all these records have; null: any. */
  group: string | null;
}

/** For each collection that often gets new records: the field by which most of its lists select them. */
export const GROUP_FIELDS: { readonly [Name in CollectionName]?: string } = {
  posts: 'targetId',
  comments: 'referenceId',
  reactions: 'referenceId',
  messages: 'messageFeedId',
  channelUsers: 'channelId',
  communityUsers: 'communityId',
  follows: 'followedUserId',
  flags: 'referenceId',
  pins: 'referenceId',
  pollVotes: 'pollId',
  userFeedMarkers: 'userId',
};

/** The records that a filter selects from a collection, in the order of other fields. */
export function selectionOf(collection: string, filter: Document, order: readonly string[] = []): Selection {
  const fields = fieldsOf(filter);
  return {
    collection,
    fields: fields && [...new Set([...fields, ...order].map(topLevel))],
    group: groupOf(collection, filter),
  };
}

/** The group of a record, or the one to which a filter limits records; null if it is not known. */
export function groupOf(collection: string, given: Document | undefined): string | null {
  const field = GROUP_FIELDS[collection as CollectionName];
  const group: unknown = field === undefined ? undefined : given?.[field];
  return typeof group === 'string' ? group : null;
}

const COMBINING = new Set(['$and', '$or', '$nor']);

/** Paths in a filter; null if an operator may read any field. */
function fieldsOf(filter: Document): string[] | null {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (!name.startsWith('$')) fields.push(name);
    else if (!COMBINING.has(name)) return null;
    else {
      for (const inner of value as Document[]) {
        const found = fieldsOf(inner);
        if (!found) return null;
        fields.push(...found);
      }
    }
  }
  return fields;
}

/** The first name of a path such as `data.pollId`. */
export function topLevel(path: string): string {
  const end = path.indexOf('.');
  return end < 0 ? path : path.slice(0, end);
}
