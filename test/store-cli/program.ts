import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { buildProgram } from '../support/build-program.ts';

export interface Ran {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface StoreProgram {
  /** The working directory of the program, removed by `remove`. */
  folder: string;
  /** Runs `npm run store -- …` to completion: on the embedded store, or on the server at `uri`. */
  run(args: string[], options?: RunOptions): Promise<Ran>;
  /** Starts the program without waiting for its end. */
  start(args: string[], options?: RunOptions): { child: ChildProcess; ended: Promise<Ran> };
  remove(): Promise<void>;
}

export interface RunOptions {
  uri?: string;
  /** The maximum size of a file that the program may write, in bytes. */
  fileSize?: number;
}

/** Builds the program and runs it as users do: in a separate process. */
export async function buildStoreProgram(): Promise<StoreProgram> {
  const built = await buildProgram({ store: 'src/store-cli/main.ts', 'embedded-worker': 'src/embedded/worker.ts' });
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-store-cli-'));
  const start: StoreProgram['start'] = (args, { uri, fileSize } = {}) => {
    const { MONGODB_URI: _, DATA_DIR: __, ...env } = process.env;
    const limit = fileSize === undefined ? [] : ['prlimit', `--fsize=${fileSize}:`];
    const [command, ...rest] = [...limit, process.execPath, join(built.folder, 'store.js'), ...args];
    const child = spawn(command!, rest, {
      cwd: folder,
      env: { ...env, ...(uri && { MONGODB_URI: uri }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const ended = new Promise<Ran>((done) => {
      child.once('close', (code, signal) => done({ code, signal, out, err }));
    });
    return { child, ended };
  };
  return {
    folder,
    start,
    run: (args, options) => start(args, options).ended,
    async remove() {
      await built.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `work` on the database `colloquy` of the embedded store in a data folder. */
export async function withStore<Result>(dataFolder: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const store = await startEmbeddedStore({ folder: join(dataFolder, 'store'), ttlSweepMs: 1_000_000 });
  const client = await MongoClient.connect(store.uri);
  try {
    return await work(client.db('colloquy'));
  } finally {
    await client.close();
    await store.close();
  }
}

export interface ReadExport {
  /** Without the fields that differ between exports. */
  manifest: object;
  /** Checksums by file name: printing the difference of two large files would take too long. */
  files: Record<string, string>;
}

export async function readExport(folder: string): Promise<ReadExport> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const { createdAt: _, source: __, database: ___, ...rest } = manifest;
  const files: Record<string, string> = {};
  for (const { file } of manifest.collections) {
    files[file] = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex');
  }
  return { manifest: rest, files };
}
