import type { Db } from 'mongodb';
import { ConfigError } from '../config.ts';

/** The collection with the progress of `npm run store -- import`; dropped when the import is complete. Not exported. */
export const IMPORT_STATE = 'unfinishedImport';

/** @throws {ConfigError} if an import into this database is incomplete */
export async function assertNoImport(db: Db): Promise<void> {
  if (!(await db.collection<{ _id: string }>(IMPORT_STATE).findOne({ _id: 'import' }))) return;
  throw new ConfigError(
    `The database ${db.databaseName} contains an unfinished import: continue it with npm run store -- import … --resume, ` +
      'or drop the database.',
  );
}
