import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ownerOf, removeChangeLog, restoreFolderOf } from '../embedded/maintenance/index.ts';
import { syncPath } from '../lib/sync-path.ts';
import { checkFolder } from './check.ts';
import { type Call, CliError, type Command, storeFolder } from './command.ts';
import { copyTree, isInside } from './copy-tree.ts';
import { assertFree, createFolder, explainRename } from './create-folder.ts';
import { capitalize, formatCount } from './format.ts';

export const restore: Command = {
  usage: 'restore BACKUP [--force]',
  help: `Restores a backup into an empty or missing data folder.

  BACKUP    a folder that the backup command wrote
  --force   renames an existing data folder, and prints its new name

The restored data is checked before the data folder gets its name. The backup is not changed. No gateway may run on
either folder.`,
  options: { force: { type: 'boolean' } },
  positionalCount: [1, 1],
  async run({ config, positionals, options }: Call) {
    const [backup, target] = [resolve(positionals[0]!), resolve(config.DATA_DIR)];
    if (!existsSync(join(storeFolder(backup), 'store.mdb'))) throw new CliError(`${positionals[0]} is not a backup.`);
    if ((await isInside(target, backup)) || (await isInside(backup, target))) {
      throw new CliError(`${positionals[0]} and the data folder ${config.DATA_DIR} must not contain each other.`);
    }
    await assertStopped(target);
    const renamedTo = options.force === true && (await isFilled(target)) ? await freeName(target) : undefined;
    if (!renamedTo) await assertFree(target).catch(adviseForce);
    // An existing data folder is replaced only after the restored one has been checked.
    const prepared = restoreFolderOf(target);
    if (existsSync(prepared)) {
      throw new CliError(
        `${prepared} is complete and was left by an interrupted restore: rename it to ${target}, or remove it.`,
      );
    }
    await createFolder(renamedTo ? prepared : target, (into) => fill(backup, into));
    if (renamedTo) {
      await replace(target, { renamedTo, prepared });
      console.log(`What was in ${config.DATA_DIR} is now in ${renamedTo}.`);
    }
    console.log(`${config.DATA_DIR} is restored from ${positionals[0]}.`);
  },
};

async function fill(backup: string, into: string): Promise<void> {
  for (const name of await readdir(backup)) {
    if (name !== 'store') await copyTree(join(backup, name), join(into, name), { mayVanish: false });
  }
  await mkdir(storeFolder(into));
  for (const name of ['format.json', 'store.mdb']) {
    await copyFile(join(storeFolder(backup), name), join(storeFolder(into), name), constants.COPYFILE_FICLONE);
  }
  const { found, faults, collections, documents, owner } = await checkFolder(into);
  if (found > 0)
    throw new CliError([...faults, `Nothing was restored: the backup has ${formatCount(found, 'fault')}.`].join('\n'));
  if (owner !== undefined) throw new CliError(`${capitalize(owner)} serves the backup: stop it first.`);
  await removeChangeLog(storeFolder(into));
  console.log(`Checked: ${formatCount(collections, 'collection')}, ${formatCount(documents, 'document')}.`);
}

/**
 * Swaps the folders in two renames. If the process is killed between them, the data folder is missing: the next start
 * and the next restore report that.
 */
async function replace(
  target: string,
  { renamedTo, prepared }: { renamedTo: string; prepared: string },
): Promise<void> {
  try {
    await assertStopped(target);
    await rename(target, renamedTo).catch(explainRename(target));
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
  await rename(prepared, target);
  await syncPath(dirname(target));
}

async function assertStopped(dataFolder: string): Promise<void> {
  const owner = await ownerOf(storeFolder(dataFolder));
  if (owner !== undefined) throw new CliError(`${capitalize(owner)} serves ${dataFolder}: stop it first.`);
}

const isFilled = async (folder: string): Promise<boolean> => existsSync(folder) && (await readdir(folder)).length > 0;

async function freeName(target: string): Promise<string> {
  const name = `${target}.before-${new Date().toISOString().slice(0, 19).replace(/\D/g, '')}`;
  await assertFree(name);
  return name;
}

function adviseForce(error: Error): never {
  throw error instanceof CliError ? new CliError(`${error.message} --force renames it.`) : error;
}
