import { randomBytes, randomUUID } from 'node:crypto';
import { chown, constants, copyFile, link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Config, ConfigError } from '../config.ts';
import { keysPath } from '../lib/keys-path.ts';
import { syncPath } from '../lib/sync-path.ts';
import { createDataFolder, explainDataFolder } from './data-folder.ts';

const keysSchema = z.object({ API_KEY: z.string(), SERVER_KEY: z.string(), TOKEN_SECRET: z.string() });

export type Keys = z.infer<typeof keysSchema>;

/**
 * Reads the three secrets from the environment. Missing ones are generated once and stored in the data folder, readable
 * by its owner only. In production none is missing, because `requireProductionSettings` rejects such a configuration.
 */
export async function readKeys(config: Config): Promise<Keys> {
  const given = { API_KEY: config.API_KEY, SERVER_KEY: config.SERVER_KEY, TOKEN_SECRET: config.TOKEN_SECRET };
  if (Object.values(given).every((value) => value !== undefined)) return given as Keys;
  const stored = await storedKeys(config.DATA_DIR);
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...stored, ...defined };
}

async function storedKeys(folder: string): Promise<Keys> {
  const path = keysPath(folder);
  const stored = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') return null;
    await createDataFolder(folder);
    throw explainDataFolder(error, `${path} cannot be read`);
  });
  return stored === null ? createKeys(folder) : parseKeys(stored, path);
}

/** @throws {ConfigError} */
function parseKeys(text: string, path: string): Keys {
  try {
    return keysSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ConfigError(
      `${path} is damaged: API_KEY, SERVER_KEY or TOKEN_SECRET is missing. Restore the file from a backup, or set all three in the environment. Without it the next start generates new ones: clients need the new API key, and all users have to sign in again.`,
      { cause: error },
    );
  }
}

/** Generates keys and stores them. If another process stores keys at the same time, both use the ones stored first. */
async function createKeys(folder: string): Promise<Keys> {
  const path = keysPath(folder);
  const generated: Keys = {
    API_KEY: `dev-${randomBytes(12).toString('hex')}`,
    SERVER_KEY: randomBytes(24).toString('hex'),
    TOKEN_SECRET: randomBytes(32).toString('hex'),
  };
  await createDataFolder(folder);
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await writeKeys(temporary, generated);
    await link(temporary, path).catch(copyWithoutLinks(temporary, path));
    await syncPath(folder);
    return generated;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return parseKeys(await readFile(path, 'utf8'), path);
    throw explainDataFolder(error, `${path} cannot be created`);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** For file systems without hard links. */
function copyWithoutLinks(from: string, to: string): (error: NodeJS.ErrnoException) => Promise<void> {
  return async (error) => {
    if (error.code !== 'EPERM' && error.code !== 'ENOTSUP' && error.code !== 'ENOSYS') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await syncPath(to);
  };
}

/** Writes a new file; when this resolves, it is on disk. */
async function writeKeys(path: string, keys: Keys): Promise<void> {
  await writeFile(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
}

/** Replaces a key in the file of generated keys. The file keeps its owner, and is complete also after a crash. */
export async function replaceStoredKey(folder: string, changed: Partial<Keys>): Promise<void> {
  const path = keysPath(folder);
  const stored = parseKeys(await readFile(path, 'utf8'), path);
  const temporary = `${path}.new`;
  try {
    await rm(temporary, { force: true });
    await writeKeys(temporary, { ...stored, ...changed });
    const { uid, gid } = await stat(path);
    await chown(temporary, uid, gid);
    await rename(temporary, path);
    await syncPath(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
