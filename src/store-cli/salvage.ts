import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FolderError, type Salvage, salvageStore } from '../embedded/maintenance/index.ts';
import { findStore } from './check.ts';
import { type Call, type Command, Failure, IMPORTING, storeFolder } from './command.ts';
import { copyTree, createFolder, isInside } from './folders.ts';
import { capital, inWords } from './words.ts';

export const salvage: Command = {
  usage: 'salvage FOLDER',
  help: `Copies what is intact of a damaged data folder into a new one, and lists what is not.

  FOLDER   where to; must not exist yet

Every record whose checksum matches is copied, with the keys and the files; indexes are built again. What is lost is
lost: use this only where there is no backup. The damaged folder stays as it is. No gateway may run on it. Ends with
code 1 when something was lost, also when the rest was copied.`,
  options: {},
  takes: [1, 1],
  async run({ config, given }: Call) {
    const [target, source] = [resolve(given[0]!), config.DATA_DIR];
    if (isInside(target, source)) throw new Failure(`${given[0]} is inside the data folder; choose a place outside.`);
    const store = findStore(source);
    let found: Salvage | undefined;
    await createFolder(target, async (into) => {
      found = await salvageStore(store, storeFolder(into)).catch(explain);
      for (const name of await readdir(source)) {
        if (name !== 'store' && name !== IMPORTING) await copyTree(join(source, name), join(into, name));
      }
    });
    const { collections, documents, lost } = found!;
    for (const loss of lost) console.log(loss);
    const copied = `${given[0]}: ${inWords(collections, 'collection')}, ${inWords(documents, 'document')}`;
    if (lost.length > 0)
      throw new Failure(`${copied} were copied. ${inWords(lost.length, 'loss', 'losses')}, see above.`);
    console.log(`${copied}. Nothing was lost.`);
  },
};

function explain(error: unknown): never {
  throw error instanceof FolderError ? new Failure(`${capital(error.message)}.`) : error;
}
