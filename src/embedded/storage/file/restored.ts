import { basename, dirname, join, resolve } from 'node:path';

/** Beside a data folder: the whole one that a restore is about to put in its place. */
export const restoredBeside = (dataFolder: string): string =>
  join(dirname(resolve(dataFolder)), `.${basename(resolve(dataFolder))}.restored`);
