import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkStore, MAX_FAULTS, type StoreCheck } from '../embedded/maintenance/index.ts';
import { type Call, type Command, Failure, storeFolder } from './command.ts';
import { startProgress } from './progress.ts';
import { inWords } from './words.ts';

export const check: Command = {
  usage: 'check [FOLDER]',
  help: `Reads the whole embedded store and says what is wrong with it.

  FOLDER   a data folder or a backup (default the data folder)

Every document can be decoded, every index agrees with the documents both ways, unique keys are held once, and
nothing belongs to a collection that does not exist. Changes nothing; the gateway may run and write meanwhile.`,
  options: {},
  takes: [0, 1],
  async run({ config, given }: Call) {
    // In the child that reads for the one that reports, see below.
    if (process.send && process.env[CHILD]) {
      // Whoever reports is gone.
      const giveUp = () => process.exit(1);
      process.once('disconnect', giveUp);
      const found = await checkStore(given[0]!, (rows) => process.send?.({ rows }));
      process.off('disconnect', giveUp);
      process.send({ found });
      process.disconnect();
      return;
    }
    const folder = given[0] ?? config.DATA_DIR;
    const found = await checkFolder(folder);
    for (const fault of found.faults) console.log(fault);
    if (found.found > MAX_FAULTS) console.log(`… and ${found.found - MAX_FAULTS} more`);
    const what = `${inWords(found.collections, 'collection')}, ${inWords(found.documents, 'document')}, ${inWords(found.entries, 'index entry', 'index entries')}`;
    if (found.found > 0) throw new Failure(`${folder}: ${inWords(found.found, 'fault')} in ${what}. Restore a backup.`);
    console.log(`${folder}: ${what}. No fault.`);
  },
};

const CHILD = 'COLLOQUY_STORE_CHECK';

type Told = { rows: number } | { found: StoreCheck };

/**
 * Checks the store of a data folder, or a store's own folder, in a process of its own: a file that is cut off or
 * overwritten may end the process that reads it, and that is a finding too.
 *
 * @throws Failure when there is no store
 */
export async function checkFolder(dataFolder: string): Promise<StoreCheck> {
  const folder = findStore(dataFolder);
  const child = fork(process.argv[1]!, ['check', resolve(folder)], { env: { ...process.env, [CHILD]: '1' } });
  const progress = startProgress({ label: 'Checking', total: 0, unit: 'rows' });
  let found: StoreCheck | undefined;
  child.on('message', (told: Told) => {
    if ('rows' in told) progress.update(told.rows);
    else found = told.found;
  });
  const signal = await new Promise<string | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', (_code, signal) => done(signal));
  });
  progress.end();
  if (found) return found;
  if (signal === null) throw new Failure('The check itself failed, see above.');
  const fault = `reading the store ended the process that read it (${signal}): the file is cut off or overwritten`;
  return { collections: 0, documents: 0, entries: 0, faults: [fault], found: 1, owner: undefined };
}

/** @throws Failure when there is neither a data folder with a store nor a store */
export function findStore(folder: string): string {
  for (const found of [storeFolder(folder), folder]) {
    if (existsSync(join(found, 'format.json')) || existsSync(join(found, 'store.mdb'))) return found;
  }
  throw new Failure(`${folder} holds no store.`);
}
