import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkStore, MAX_FAULTS, type StoreCheck } from '../embedded/maintenance/index.ts';
import { type Call, CliError, type Command, storeFolder } from './command.ts';
import { formatCount } from './format.ts';
import { startProgress } from './progress.ts';

export const check: Command = {
  usage: 'check [FOLDER]',
  help: `Reads the whole embedded store and reports damage.

  FOLDER   a data folder or a backup (default the data folder)

Checks that every document can be decoded, that every index matches the documents in both directions, that unique keys
occur once, and that no data belongs to a collection that does not exist. Changes nothing; the gateway may run and
write meanwhile.`,
  options: {},
  positionalCount: [0, 1],
  async run({ config, positionals }: Call) {
    // The child process of checkFolder.
    if (process.send && process.env[CHECK_CHILD]) {
      // The parent, which reports the result, has ended.
      const exit = () => process.exit(1);
      process.once('disconnect', exit);
      const found = await checkStore(positionals[0]!, (rows) => process.send?.({ rows }));
      process.off('disconnect', exit);
      process.send({ found });
      process.disconnect();
      return;
    }
    const folder = positionals[0] ?? config.DATA_DIR;
    const found = await checkFolder(folder);
    for (const fault of found.faults) console.log(fault);
    if (found.found > MAX_FAULTS) console.log(`… and ${found.found - MAX_FAULTS} more`);
    const what = `${formatCount(found.collections, 'collection')}, ${formatCount(found.documents, 'document')}, ${formatCount(found.entries, 'index entry', 'index entries')}`;
    if (found.found > 0)
      throw new CliError(`${folder}: ${formatCount(found.found, 'fault')} in ${what}. Restore a backup.`);
    console.log(`${folder}: ${what}. No fault.`);
  },
};

const CHECK_CHILD = 'COLLOQUY_STORE_CHECK';

/** From the child process: the rows read so far, then the result. */
type CheckMessage = { rows: number } | { found: StoreCheck };

/**
 * Checks the store of a data folder, or the folder of a store itself, in a child process: reading a memory-mapped file
 * that is truncated or overwritten can crash the process, which is then reported as a fault.
 *
 * @throws CliError when there is no store
 */
export async function checkFolder(dataFolder: string): Promise<StoreCheck> {
  const folder = findStore(dataFolder);
  const child = fork(process.argv[1]!, ['check', resolve(folder)], { env: { ...process.env, [CHECK_CHILD]: '1' } });
  const progress = startProgress({ label: 'Checking', total: 0, unit: 'rows' });
  let found: StoreCheck | undefined;
  child.on('message', (message: CheckMessage) => {
    if ('rows' in message) progress.update(message.rows);
    else found = message.found;
  });
  const signal = await new Promise<string | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', (_code, signal) => done(signal));
  });
  progress.end();
  if (found) return found;
  if (signal === null) throw new CliError('The check itself failed, see above.');
  const fault = `reading the store crashed the process (${signal}): the file is truncated or overwritten`;
  return { collections: 0, documents: 0, entries: 0, faults: [fault], found: 1, owner: undefined };
}

/** Finds the store of a data folder or a store's own folder. @throws CliError when there is none */
export function findStore(folder: string): string {
  for (const found of [storeFolder(folder), folder]) {
    if (existsSync(join(found, 'format.json')) || existsSync(join(found, 'store.mdb'))) return found;
  }
  throw new CliError(`${folder} contains no store.`);
}
