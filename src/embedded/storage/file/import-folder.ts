import { resolve } from 'node:path';

/** The folder next to that of a store in which an import prepares its replacement. */
export const importFolderOf = (storeFolder: string): string => `${resolve(storeFolder)}.importing`;
