import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyStore, FolderError } from '../embedded/maintenance/index.ts';
import { findStore } from './check.ts';
import { type Call, CliError, type Command, IMPORTING, storeFolder } from './command.ts';
import { copyTree, isInside } from './copy-tree.ts';
import { createFolder } from './create-folder.ts';
import { formatBytes, formatCount } from './format.ts';

export const backup: Command = {
  usage: 'backup FOLDER',
  help: `Copies a consistent snapshot of the data folder; the gateway may run.

  FOLDER   the target folder; must not exist

The copy is a complete data folder: the embedded store, the generated keys and the uploaded files. It appears under
its name once everything is on disk. Check it with: npm run store -- check FOLDER`,
  options: {},
  positionalCount: [1, 1],
  async run({ config, positionals }: Call) {
    const target = resolve(positionals[0]!);
    const source = config.DATA_DIR;
    if (await isInside(target, source))
      throw new CliError(`${positionals[0]} is inside the data folder; choose a place outside.`);
    const store = findStore(source);
    if (resolve(store) !== resolve(storeFolder(source))) throw new CliError(`${source} is not a data folder.`);
    try {
      const report: string[] = [];
      await createFolder(target, async (into) => {
        // The store first, then the files: a file exists before its record is written, so no record lacks its file.
        const { bytes, owner } = await copyStore(store, storeFolder(into));
        let files = 0;
        for (const name of (await readdir(source)).filter((name) => !isStore(name))) {
          files += await copyTree(join(source, name), join(into, name), { mayVanish: true });
        }
        const servedNote = owner === undefined ? '' : `, while ${owner} served it`;
        report.push(
          `${positionals[0]}: a store of ${formatBytes(bytes)} and ${formatCount(files, 'file')}${servedNote}.`,
        );
        if (!existsSync(join(into, 'keys.json'))) report.push(WITHOUT_KEYS);
      });
      console.log(report.join('\n'));
    } catch (error) {
      throw error instanceof FolderError ? new CliError(`No backup was written: ${error.message}.`) : error;
    }
  },
};

const WITHOUT_KEYS = 'It has no keys.json: API_KEY, SERVER_KEY and TOKEN_SECRET come from settings; back those up too.';

/** The store, which is copied separately, and the leftovers of an interrupted import. */
const isStore = (name: string): boolean => name === 'store' || name === IMPORTING;
