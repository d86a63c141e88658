import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyStore, FolderError } from '../embedded/maintenance/index.ts';
import { findStore } from './check.ts';
import { type Call, type Command, Failure, IMPORTING, storeFolder } from './command.ts';
import { copyTree, createFolder, isInside } from './folders.ts';
import { inWords, sizeInWords } from './words.ts';

export const backup: Command = {
  usage: 'backup FOLDER',
  help: `Copies the data folder as it is at one moment, while the gateway runs.

  FOLDER   where to; must not be there yet

The copy is a whole data folder: the embedded store, the generated keys, and the files. It appears once all of it is
on disk. Check it with: npm run store -- check FOLDER`,
  options: {},
  takes: [1, 1],
  async run({ config, given }: Call) {
    const target = resolve(given[0]!);
    const source = config.DATA_DIR;
    if (isInside(target, source)) throw new Failure(`${given[0]} lies inside the data folder; choose a place outside.`);
    const store = findStore(source);
    if (resolve(store) !== resolve(storeFolder(source))) throw new Failure(`${source} is no data folder.`);
    try {
      await createFolder(target, async (into) => {
        // First the records, then the files they name: a file is there before its record is.
        const { bytes, owner } = await copyStore(store, storeFolder(into));
        let files = 0;
        for (const name of (await readdir(source)).filter((name) => !isOwn(name))) {
          files += await copyTree(join(source, name), join(into, name));
        }
        const who = owner === undefined ? '' : `, while ${owner} served it`;
        console.log(`${given[0]}: a store of ${sizeInWords(bytes)} and ${inWords(files, 'file')}${who}.`);
        if (!existsSync(join(into, 'keys.json'))) console.log(WITHOUT_KEYS);
      });
    } catch (error) {
      throw error instanceof FolderError ? new Failure(`There is no backup: ${error.message}.`) : error;
    }
  },
};

const WITHOUT_KEYS = 'It holds no keys.json: API_KEY, SERVER_KEY and TOKEN_SECRET come from settings; keep those too.';

/** What has been copied already, and what commands leave behind when they are interrupted. */
const isOwn = (name: string): boolean => name === 'store' || name === IMPORTING;
