import type { Db } from 'mongodb';
import { ConfigError } from '../config.ts';

/** Where `npm run store -- import` notes how far it is; dropped when all is there. No part of the data. */
export const IMPORT_STATE = 'unfinishedImport';

/** @throws {ConfigError} while an import into this database has not ended: what is there is only a part */
export async function assertNoImport(db: Db): Promise<void> {
  if (!(await db.collection<{ _id: string }>(IMPORT_STATE).findOne({ _id: 'import' }))) return;
  throw new ConfigError(
    `The database ${db.databaseName} holds an unfinished import: finish it with npm run store -- import … --resume, ` +
      'or drop the database.',
  );
}
