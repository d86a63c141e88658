import { basename, dirname, join, resolve } from 'node:path';

/** The folder next to a data folder in which a restore prepares its replacement. */
export const restoreFolderOf = (dataFolder: string): string =>
  join(dirname(resolve(dataFolder)), `.${basename(resolve(dataFolder))}.restored`);
