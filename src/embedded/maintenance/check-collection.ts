import type { IsTimeUp, Pause } from '../lib/index.ts';
import { decode } from '../query/index.ts';
import { type Collection, type Index, idPrefix, keysOf, prefixRange, type Reader } from '../storage/index.ts';

export interface CheckResult {
  records: number;
  /** Number of entries by index name. */
  entries: Record<string, number>;
  /** Descriptions of the errors. */
  errors: string[];
}

const finished = ({ indexes }: Collection): Index[] => indexes.filter(({ build }) => !build);

/** Compares all index entries of a collection with its documents, in both directions and in one snapshot. */
export function* checkCollection(
  reader: Reader,
  collection: Collection,
  isTimeUp: IsTimeUp,
): Generator<Pause, CheckResult> {
  const result: CheckResult = { records: 0, entries: {}, errors: [] };
  const expected = new Map(finished(collection).map((index) => [index, new Set<string>()]));
  for (const { recordId, bytes } of reader.scanRecords(collection.id)) {
    result.records++;
    if (isTimeUp()) yield undefined;
    const document = decode(bytes);
    for (const [index, keys] of expected) {
      for (const { key } of keysOf(index, document).keys) {
        if (index.isUnique && reader.holdersOf(key).length > 1) {
          result.errors.push(`${index.name}: a unique key has two records, one of them ${recordId}`);
        }
        keys.add(`${key.toString('hex')} ${recordId}`);
      }
    }
  }
  for (const [index, keys] of expected) {
    let count = 0;
    for (const { key, recordId } of reader.scanEntries(prefixRange(idPrefix(index.id)))) {
      count++;
      if (isTimeUp()) yield undefined;
      const name = `${key.toString('hex', 0, key.length - 8)} ${recordId}`;
      if (!keys.delete(name))
        result.errors.push(`${index.name}: an entry of record ${recordId} belongs to no document`);
    }
    for (const name of keys) result.errors.push(`${index.name}: no entry for record ${name.split(' ')[1]}`);
    result.entries[index.name] = count;
  }
  return result;
}
