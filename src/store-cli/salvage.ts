import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FolderError, type Salvage, salvageStore } from '../embedded/maintenance/index.ts';
import { findStore } from './check.ts';
import { type Call, CliError, type Command, IMPORTING, storeFolder } from './command.ts';
import { copyTree, isInside } from './copy-tree.ts';
import { createFolder } from './create-folder.ts';
import { capitalize, formatCount } from './format.ts';

export const salvage: Command = {
  usage: 'salvage FOLDER',
  help: `Copies the intact records of a damaged data folder into a new one.

  FOLDER   the target folder; must not exist

Copies every record whose checksum matches, the keys and the uploaded files; rebuilds the indexes; prints each loss.
Use this only if there is no backup. The damaged folder is not changed. No gateway may run on it. The exit code is 1 if
anything was lost, even if the rest was copied.`,
  options: {},
  positionalCount: [1, 1],
  async run({ config, positionals }: Call) {
    const [target, source] = [resolve(positionals[0]!), config.DATA_DIR];
    if (await isInside(target, source))
      throw new CliError(`${positionals[0]} is inside the data folder; choose a place outside.`);
    const store = findStore(source);
    let found: Salvage | undefined;
    await createFolder(target, async (into) => {
      found = await salvageStore(store, storeFolder(into)).catch(explain);
      for (const name of await readdir(source)) {
        if (name === 'store' || name === IMPORTING) continue;
        await copyTree(join(source, name), join(into, name), { mayVanish: true });
      }
    });
    const { collections, documents, lost } = found!;
    for (const loss of lost) console.log(loss);
    const copied = `${positionals[0]}: ${formatCount(collections, 'collection')}, ${formatCount(documents, 'document')}`;
    if (lost.length > 0)
      throw new CliError(`${copied} were copied. ${formatCount(lost.length, 'loss', 'losses')}, see above.`);
    console.log(`${copied}. Nothing was lost.`);
  },
};

function explain(error: unknown): never {
  throw error instanceof FolderError ? new CliError(`${capitalize(error.message)}.`) : error;
}
