import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Call, CliError, type Command, storeFolder } from './command.ts';
import { compareAll } from './compare.ts';
import { DEFAULT_DATABASE } from './connect.ts';
import { copyAll, createTtlIndexes } from './copy.ts';
import { openEmbeddedSource } from './embedded-source.ts';
import { openFolderSource } from './folder-source.ts';
import { formatCount } from './format.ts';
import { MANIFEST } from './manifest.ts';
import { startProgress } from './progress.ts';
import type { Source } from './source.ts';
import { openTarget, type Target } from './target.ts';

export const importCommand: Command = {
  usage: 'import FOLDER [--resume]',
  help: `Imports an export or a data folder into an empty database.

  FOLDER         an export, a data folder or a backup
  --uri URI      the MongoDB server to fill (default MONGODB_URI; without it the embedded store)
  --database D   the database to fill (default the one of the URI, else ${DEFAULT_DATABASE})
  --from D       the database of the data folder to read (default ${DEFAULT_DATABASE})
  --resume       continues an interrupted import

Documents, counters and indexes are copied unchanged; at the end every document is compared byte by byte. To move from
the embedded store to a cluster: MONGODB_URI=… npm run store -- import ./data`,
  options: {
    uri: { type: 'string' },
    database: { type: 'string' },
    from: { type: 'string' },
    resume: { type: 'boolean' },
  },
  positionalCount: [1, 1],
  async run({ config, positionals, options }: Call) {
    const folder = positionals[0]!;
    const option = (name: string) => (options[name] === undefined ? undefined : String(options[name]));
    if (config.MONGODB_URI === undefined && resolve(folder) === resolve(config.DATA_DIR)) {
      throw new CliError(`${folder} is also the target: set MONGODB_URI, or --data-dir to another folder.`);
    }
    const source = await openImportSource(folder, option('from') ?? DEFAULT_DATABASE);
    const begun = Date.now();
    try {
      const isResumed = options.resume === true;
      const target = await openTarget({ config, source, isResumed, database: option('database') });
      try {
        await importAll(source, target);
      } catch (error) {
        throw error instanceof CliError
          ? new CliError(`${error.message}\nThe import is not complete: ${target.name} cannot be used yet.`)
          : error;
      } finally {
        await target.close();
      }
      const documents = total(source);
      const what = `${formatCount(documents, 'document')} in ${formatCount(source.collections.length, 'collection')}`;
      console.log(`${target.name}: ${what}, compared and equal, ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
      await printRemainingSteps(folder);
    } finally {
      await source.close();
    }
  },
};

const total = ({ collections }: Source): number => collections.reduce((sum, { documents }) => sum + documents, 0);

/** Opens an export, after checking every file against the manifest, or the store of a data folder. */
async function openImportSource(folder: string, database: string): Promise<Source> {
  if (existsSync(join(folder, MANIFEST))) {
    const source = await openFolderSource(folder);
    const progress = startProgress({ label: 'Reading  ', total: total(source) });
    await source.verify(progress.update).finally(progress.end);
    return source;
  }
  const store = [storeFolder(folder), folder].find((place) => existsSync(join(place, 'store.mdb')));
  if (!store) throw new CliError(`${folder} is neither an export nor a data folder.`);
  return openEmbeddedSource({ folder: store, name: folder, database, mustBeStopped: true });
}

async function importAll(source: Source, target: Target): Promise<void> {
  const { db, stage } = target;
  if (stage !== 'compared') {
    const copying = startProgress({ label: 'Copying  ', total: total(source) });
    await copyAll({ source, db, isResumed: stage !== 'empty', progress: copying }).finally(copying.end);
    const comparing = startProgress({ label: 'Comparing', total: total(source) });
    await compareAll({ source, db, progress: comparing }).finally(comparing.end);
    await target.markCompared();
  }
  await createTtlIndexes({ source, db });
  await target.finish();
}

/** Names what an import does not copy: keys and uploaded files. */
async function printRemainingSteps(folder: string): Promise<void> {
  if (existsSync(join(folder, 'keys.json'))) {
    console.log(
      `Set API_KEY, SERVER_KEY and TOKEN_SECRET to the values in ${join(folder, 'keys.json')}, or all users have to sign in again.`,
    );
  }
  const files = await readdir(join(folder, 'files')).catch(() => []);
  if (files.length > 0) {
    console.log(
      `${formatCount(files.length, 'file')} stay in ${join(folder, 'files')}: copy them to the new DATA_DIR.`,
    );
  }
}
