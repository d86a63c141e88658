import type { Collection, Document } from 'mongodb';
import type { CollectionName, Collections, Records } from '../../store/collections.ts';

/** Inserts records in batches, so that no more than a batch of each collection waits in memory. */
export interface Writer {
  /** Resolves at once while there is room, else when a batch was written. */
  add<Name extends CollectionName>(name: Name, records: readonly Records[Name][]): Promise<void>;
  /** Writes what waits. */
  flush(): Promise<void>;
}

export interface WriterOptions {
  collections: Collections;
  /** Told how many records were written by now, after each batch. */
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
