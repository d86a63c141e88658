import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Call, type Command, Failure, storeFolder } from './command.ts';
import { compareAll } from './compare.ts';
import { DEFAULT_DATABASE } from './connect.ts';
import { copyAll, createExpiry } from './copy.ts';
import { openEmbeddedSource } from './embedded-source.ts';
import { openFolderSource } from './folder-source.ts';
import { MANIFEST } from './manifest.ts';
import { startProgress } from './progress.ts';
import type { Source } from './source.ts';
import { openTarget, type Target } from './target.ts';
import { inWords } from './words.ts';

export const importCommand: Command = {
  usage: 'import FOLDER [--resume]',
  help: `Puts an export, or a whole data folder, into an empty database.

  FOLDER         what export has written, or a data folder or a backup of one
  --uri URI      the MongoDB server to fill (default MONGODB_URI; without it the embedded store)
  --database D   the database to fill (default the one of the URI, else ${DEFAULT_DATABASE})
  --from D       the database of the data folder to take (default ${DEFAULT_DATABASE})
  --resume       goes on with an import that was interrupted

Documents, counters and indexes arrive as they are: in the end every document is compared byte by byte. The move from
the embedded store to a cluster is: MONGODB_URI=… npm run store -- import ./data`,
  options: {
    uri: { type: 'string' },
    database: { type: 'string' },
    from: { type: 'string' },
    resume: { type: 'boolean' },
  },
  takes: [1, 1],
  async run({ config, given, options }: Call) {
    const folder = given[0]!;
    const option = (name: string) => (options[name] === undefined ? undefined : String(options[name]));
    if (config.MONGODB_URI === undefined && resolve(folder) === resolve(config.DATA_DIR)) {
      throw new Failure(`${folder} is the target too: set MONGODB_URI, or --data-dir to another folder.`);
    }
    const source = await openImported(folder, option('from') ?? DEFAULT_DATABASE);
    const begun = Date.now();
    try {
      const isResumed = options.resume === true;
      const target = await openTarget({ config, source, isResumed, database: option('database') });
      try {
        await importAll(source, target);
      } catch (error) {
        throw error instanceof Failure
          ? new Failure(`${error.message}\nThe import is not finished: ${target.name} is of no use yet.`)
          : error;
      } finally {
        await target.close();
      }
      const documents = total(source);
      const what = `${inWords(documents, 'document')} in ${inWords(source.collections.length, 'collection')}`;
      console.log(`${target.name}: ${what}, compared and equal, ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
      await tellOfTheRest(folder);
    } finally {
      await source.close();
    }
  },
};

const total = ({ collections }: Source): number => collections.reduce((sum, { documents }) => sum + documents, 0);

/** Opens what is to be imported; of an export every file is read and compared with the manifest first. */
async function openImported(folder: string, database: string): Promise<Source> {
  if (existsSync(join(folder, MANIFEST))) {
    const source = await openFolderSource(folder);
    const progress = startProgress({ label: 'Reading  ', total: total(source) });
    await source.verify(progress.update).finally(progress.end);
    return source;
  }
  const store = [storeFolder(folder), folder].find((place) => existsSync(join(place, 'store.mdb')));
  if (!store) throw new Failure(`${folder} is neither an export nor a data folder.`);
  return openEmbeddedSource({ folder: store, name: folder, database, mustBeStopped: true });
}

async function importAll(source: Source, target: Target): Promise<void> {
  const { db, stage } = target;
  if (stage !== 'compared') {
    const copying = startProgress({ label: 'Copying  ', total: total(source) });
    await copyAll({ source, db, isResumed: stage !== 'empty', progress: copying }).finally(copying.end);
    const comparing = startProgress({ label: 'Comparing', total: total(source) });
    await compareAll({ source, db, progress: comparing }).finally(comparing.end);
    await target.noteCompared();
  }
  await createExpiry({ source, db });
  await target.finish();
}

/** What a database does not hold. */
async function tellOfTheRest(folder: string): Promise<void> {
  if (existsSync(join(folder, 'keys.json'))) {
    console.log(
      `Set API_KEY, SERVER_KEY and TOKEN_SECRET to what ${join(folder, 'keys.json')} says, or all sign in anew.`,
    );
  }
  const files = await readdir(join(folder, 'files')).catch(() => []);
  if (files.length > 0) {
    console.log(`${inWords(files.length, 'file')} stay in ${join(folder, 'files')}: copy them to the new DATA_DIR.`);
  }
}
