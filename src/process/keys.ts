import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';

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
  const path = join(folder, 'keys.json');
  const stored = await readFile(path, 'utf8').catch(() => null);
  if (stored !== null) return keysSchema.parse(JSON.parse(stored));
  const generated: Keys = {
    API_KEY: `dev-${randomBytes(12).toString('hex')}`,
    SERVER_KEY: randomBytes(24).toString('hex'),
    TOKEN_SECRET: randomBytes(32).toString('hex'),
  };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, `${JSON.stringify(generated, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(path, 0o600);
  } catch (error) {
    // A full disk may leave a truncated file, which later starts could not parse.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
  return generated;
}
