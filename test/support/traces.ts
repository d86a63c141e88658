import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from 'mongodb';

/** The texts that occur in the records of a database, each with the collection. */
export async function tracesInRecords(db: Db, texts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    for await (const record of db.collection(name).find({}).hint('_id_')) {
      const stored = JSON.stringify(record).toLowerCase();
      for (const text of texts) if (stored.includes(text)) found.add(`${name}: ${text}`);
    }
  }
  return [...found].sort();
}

/** The texts that occur in the bytes of the files of a folder, each with the path of the file. */
export async function tracesInFiles(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = (await readFile(path)).toString('latin1').toLowerCase();
    for (const text of texts) if (bytes.includes(text)) found.push(`${entry.name}: ${text}`);
  }
  return found.sort();
}
