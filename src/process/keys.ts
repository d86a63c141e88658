import { randomBytes } from 'node:crypto';
import { chmod, chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { createDataFolder, explainDataFolder } from './data-folder.ts';

const keysSchema = z.object({ API_KEY: z.string(), SERVER_KEY: z.string(), TOKEN_SECRET: z.string() });

export type Keys = z.infer<typeof keysSchema>;

/** The file of the keys that are generated, in the data folder. */
export const keysPath = (folder: string): string => join(folder, 'keys.json');

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
  if (stored !== null) return keysSchema.parse(JSON.parse(stored));
  const generated: Keys = {
    API_KEY: `dev-${randomBytes(12).toString('hex')}`,
    SERVER_KEY: randomBytes(24).toString('hex'),
    TOKEN_SECRET: randomBytes(32).toString('hex'),
  };
  await createDataFolder(folder);
  try {
    await writeFile(path, `${JSON.stringify(generated, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(path, 0o600);
  } catch (error) {
    // A full disk may leave a truncated file, which later starts could not parse.
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (!exists) await rm(path, { force: true });
    throw exists ? error : explainDataFolder(error, `${path} cannot be created`);
  }
  return generated;
}

/** Replaces a key in the file of generated keys. The file keeps its owner, and is complete also after a crash. */
export async function replaceStoredKey(folder: string, changed: Partial<Keys>): Promise<void> {
  const path = keysPath(folder);
  const stored = keysSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  const temporary = `${path}.new`;
  try {
    await rm(temporary, { force: true });
    await writeFile(temporary, `${JSON.stringify({ ...stored, ...changed }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    const { uid, gid } = await stat(path);
    await chown(temporary, uid, gid);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
