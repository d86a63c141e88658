import type { Collection, Document } from 'mongodb';
import type { CollectionName, Collections, Records } from '../../store/collections.ts';
import { entriesOf } from '../../store/search/entries.ts';

/** Inserts records in batches, keeping at most one batch per collection in memory. */
export interface Writer {
  /** Buffers records. Waits for each batch that becomes full to be written. */
  add<Name extends CollectionName>(name: Name, records: readonly Records[Name][]): Promise<void>;
  /** Writes the buffered records. */
  flush(): Promise<void>;
}

export interface WriterOptions {
  collections: Collections;
  /** Called after each batch with the number of records written so far. */
  onProgress?: (written: number) => void;
  /** @default 1,000 */
  batchSize?: number;
}

export function createWriter({ collections, onProgress, batchSize = 1_000 }: WriterOptions): Writer {
  const waiting = new Map<CollectionName, Document[]>();
  let written = 0;

  const write = async (name: CollectionName): Promise<void> => {
    const batch = waiting.get(name)?.splice(0, batchSize) ?? [];
    if (batch.length === 0) return;
    await (collections[name] as unknown as Collection<Document>).insertMany(batch);
    const entries = entriesOf(name, batch);
    if (entries.length > 0) await collections.searchEntries.insertMany(entries);
    written += batch.length;
    onProgress?.(written);
  };

  return {
    async add(name, records) {
      const batch = waiting.get(name) ?? [];
      waiting.set(name, batch);
      for (const record of records) {
        batch.push(record);
        if (batch.length >= batchSize) await write(name);
      }
    },
    async flush() {
      for (const name of waiting.keys()) await write(name);
    },
  };
}
