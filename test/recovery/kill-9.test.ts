import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';

const ROUNDS = 20;

let folder: string;
let program: BuiltProgram;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-kill-'));
  program = await buildProgram({ writers: 'test/recovery/writers.ts', 'embedded-worker': 'src/embedded/worker.ts' });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await program.remove();
});

/** Runs the writers until they are killed; returns what they said was acknowledged. */
async function runAndKill(round: number): Promise<string[]> {
  const child: ChildProcess = spawn(process.execPath, [join(program.folder, 'writers.js'), folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  // By what was acknowledged, not by the clock: a busy machine writes less in the same time.
  const enough = 33 + Math.floor(Math.random() * 400);
  let acknowledged = 0;
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, signal) => resolve(signal)),
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.startsWith('started')) resolve();
      for (const char of text) if (char === '\n') acknowledged += 1;
      if (acknowledged > enough) child.kill('SIGKILL');
    });
    void exited.then(() => reject(new Error('the writers did not start')));
  });
  expect(await exited).toBe('SIGKILL');
  // The last line may be cut off.
  return output.split('\n').slice(0, -1);
}

/** What was acknowledged and is not there, and transactions of which only a part is. */
async function findDamage(db: Db, lines: readonly string[]): Promise<string[]> {
  const found = await db.collection<{ _id: string; n: number }>('rows').find().toArray();
  const rows = new Map(found.map((row) => [row._id, row.n]));
  const damage: string[] = [];
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [kind, id = '', count] = line.split(' ');
    if (kind === 'insert' && !rows.has(id)) damage.push(line);
    if (kind === 'pair' && !rows.has(`${id}a`) && !rows.has(`${successor(id)}a`)) damage.push(line);
    if (kind === 'gone' && rows.has(`${id}a`)) damage.push(line);
    if (kind === 'count') counts.set(id, Number(count));
  }
  for (const [id, count] of counts) {
    // One more may have been written and not acknowledged.
    const n = rows.get(id) ?? -1;
    if (n !== count && n !== count + 1) damage.push(`${id} was counted to ${count} but holds ${n}`);
  }
  for (const id of rows.keys()) {
    const pair = /^(.*p\d+)[ab]$/.exec(id)?.[1];
    if (!pair) continue;
    if (!rows.has(`${pair}a`) || !rows.has(`${pair}b`)) damage.push(`torn: ${pair}`);
    if (successor(pair) !== '' && rows.has(`${successor(pair)}a`)) damage.push(`torn: ${pair} outlived its successor`);
  }
  return damage;
}

/** The pair whose transaction took this one away; none for two out of three. */
function successor(pair: string): string {
  const [, head, number] = /^(.*p)(\d+)$/.exec(pair)!;
  const next = Number(number) + 1;
  return next % 3 === 0 ? `${head}${next}` : '';
}

describe('a process killed while 32 writers write', () => {
  it(`loses no acknowledged write, tears no transaction and leaves indexes whole, ${ROUNDS} times`, async () => {
    const lines: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await runAndKill(round);
      lines.push(...acknowledged);
      const store = await startEmbeddedStore({ folder });
      const client = await MongoClient.connect(store.uri);
      const db = client.db('crash');
      const isLast = round === ROUNDS - 1;
      expect(await findDamage(db, isLast ? lines : acknowledged)).toEqual([]);
      const { valid, errors } = await db.command({ validate: 'rows' });
      expect({ valid, errors }).toEqual({ valid: true, errors: [] });
      await client.close();
      await store.close();
    }
    expect(lines.length).toBeGreaterThan(ROUNDS * 32);
  }, 120_000);
});
