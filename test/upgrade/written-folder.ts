import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';
import type { Answer } from './answers.ts';

const unzip = promisify(gunzip);

/**
 * A data folder that release 0.1.0 wrote (the sample network after a flag, an unflag, a pin and a role) and the answers
 * of that release to the requests in `answers.ts`.
 */
const WRITTEN = new URL('./data-0.1.0/', import.meta.url);

const unzipped = async (name: string): Promise<Buffer> => unzip(await readFile(new URL(name, WRITTEN)));

/** Unpacks the data folder into a temporary folder. */
export async function unpackWrittenFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-upgrade-'));
  await mkdir(join(folder, 'store'));
  for (const file of ['keys.json', 'store/format.json']) await copyFile(new URL(file, WRITTEN), join(folder, file));
  await writeFile(join(folder, 'store', 'store.mdb'), await unzipped('store/store.mdb.gz'));
  return folder;
}

/** Starts a gateway of this release on a data folder, which it migrates; closed after the test. */
export async function startOnFolder(folder: string): ReturnType<typeof start> {
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
  });
  const gateway = await start(config, { embedded: { refuseUnindexed: true } });
  onTestFinished(() => gateway.close());
  return gateway;
}

export const readWrittenAnswers = async (): Promise<Answer[]> =>
  JSON.parse(String(await unzipped('answers.json.gz'))) as Answer[];
