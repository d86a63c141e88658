import { eachRecord, type Migration } from './migration.ts';

/** Older releases stored the URL that a file had when it was uploaded; it follows from `PUBLIC_URL` when read. */
export const derivedFileUrls: Migration = {
  version: 6,
  name: 'no stored URLs of files',
  run: eachRecord({ collection: 'files', filter: { fileUrl: { $exists: true } } }, () => ({ $unset: { fileUrl: '' } })),
};
