import { join } from 'node:path';

/** The file of the keys that are generated, in the data folder. */
export const keysPath = (folder: string): string => join(folder, 'keys.json');
