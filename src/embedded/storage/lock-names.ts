import type { Change, PreparedChange } from './changes.ts';

/** The locks of a change: its record, and the unique keys that it adds or removes. */
export function lockNames(change: PreparedChange): string[] {
  const unique = change.indexChanges.filter(({ index }) => index.isUnique);
  const keys = unique.flatMap(({ removed, added }) => [...removed, ...added]);
  return [recordName(change), ...keys.map(({ key }) => keyName(key))];
}

export const recordName = ({ collection, recordId }: Change): string => `${collection.id}/${recordId}`;
export const keyName = (key: Buffer): string => `key ${key.toString('latin1')}`;
