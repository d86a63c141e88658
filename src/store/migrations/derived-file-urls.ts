import { eachRecord, type Migration } from './migration.ts';

/** Older releases stored the URL of a file at upload; it is now derived from `PUBLIC_URL` on read. */
export const derivedFileUrls: Migration = {
  version: 6,
  name: 'no stored URLs of files',
  run: eachRecord({ collection: 'files', filter: { fileUrl: { $exists: true } } }, () => ({ $unset: { fileUrl: '' } })),
};
