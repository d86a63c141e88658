import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';

const OPENS = `
import { open } from 'lmdb';
const store = open({ path: process.argv[1], noSubdir: true, keyEncoding: 'binary', encoding: 'binary' });
for (let i = 0; i < 20; i++) store.openDB('records', { keyEncoding: 'binary', encoding: 'binary' }).getKeysCount({});
await store.close();
`;

it('a second process that opens the file does not disturb the first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-second-'));
  const store = await startEmbeddedStore({ folder });
  const client = await MongoClient.connect(store.uri);
  try {
    const rows = client.db('both').collection('rows');
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        await client.withSession((session) =>
          session.withTransaction(async () => {
            await rows.insertOne({ i }, { session });
            await rows.findOne({}, { session });
          }),
        );
      }
    })();
    for (let round = 0; round < 3; round++) {
      const args = ['--input-type=module', '--eval', OPENS, '--', join(folder, 'store.mdb')];
      const child = spawn(process.execPath, args, { stdio: 'inherit' });
      expect(await new Promise((done) => child.once('close', done))).toBe(0);
    }
    isOver = true;
    await writing;
  } finally {
    await client.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});

const READS = `
import { open } from 'lmdb';
const store = open({ path: process.argv[1], noSubdir: true, keyEncoding: 'binary', encoding: 'binary' });
store.useReadTransaction();
console.log('reading');
setInterval(() => {}, 1000);
`;

it('the snapshot of a killed reader is released, so that its pages are reused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-second-'));
  const store = await startEmbeddedStore({ folder, ttlSweepMs: 20 });
  const file = join(folder, 'store.mdb');
  const root = open({ path: file, noSubdir: true, keyEncoding: 'binary', encoding: 'binary' });
  const readers = () => [...root.readerList().matchAll(/^ *(\d+) /gm)].map(([, pid]) => Number(pid));
  try {
    const args = ['--input-type=module', '--eval', READS, '--', file];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((reading) => child.stdout.once('data', reading));
    expect(readers()).toContain(child.pid);
    const ended = new Promise((done) => child.once('close', done));
    child.kill('SIGKILL');
    await ended;
    await expect.poll(readers, { timeout: 30_000 }).not.toContain(child.pid);
  } finally {
    await root.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
