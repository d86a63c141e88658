import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangeStreamDocument, type Db, MongoClient, type ResumeToken } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedStore } from '../../src/embedded/index.ts';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { isFullLoad } from '../support/full-load.ts';
import type { Row } from './writers.ts';

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? (isFullLoad ? 100 : 10));

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

/**
 * Runs the writers until they are killed; in every other round, only the store's thread is killed first. Returns their
 * output.
 */
async function runAndKill(round: number): Promise<string[]> {
  const child = spawn(process.execPath, [join(program.folder, 'writers.js'), folder, String(round)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => undefined);
  let output = '';
  // After a number of lines, not a time: a busy machine writes less in the same time.
  const enough = 33 + Math.floor(Math.random() * 400);
  let threadDiesAfter = round % 2 === 0 ? Number.POSITIVE_INFINITY : Math.floor(Math.random() * 300);
  let isDying = false;
  let printed = 0;
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, signal) => resolve(signal)),
  );
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const char of text) if (char === '\n') printed += 1;
    if (printed > threadDiesAfter) {
      threadDiesAfter = Number.POSITIVE_INFINITY;
      isDying = true;
      child.stdin.write('kill the thread\n');
    }
    if (isDying && output.includes('thread killed\n')) {
      isDying = false;
      printed = 0;
    }
    if (printed > enough && !isDying && threadDiesAfter === Number.POSITIVE_INFINITY) child.kill('SIGKILL');
  });
  expect(await exited).toBe('SIGKILL');
  // The last line may be cut off.
  return output.split('\n').slice(0, -1);
}

/** Acknowledged rows that are missing, and transactions of which only a part exists. */
function findDamage(rows: ReadonlyMap<string, Row>, lines: readonly string[]): string[] {
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
    const n = rows.get(id)?.n ?? -1;
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

/** The pair whose transaction removed this one; none for two of three. */
function successor(pair: string): string {
  const [, head, number] = /^(.*p)(\d+)$/.exec(pair)!;
  const next = Number(number) + 1;
  return next % 3 === 0 ? `${head}${next}` : '';
}

/** The rows reconstructed from the change stream alone. */
const streamed = new Map<string, Row>();
let resumeToken: ResumeToken;

/** Resumes the stream after the previous round; returns its events. */
async function followStream(db: Db, round: number): Promise<ChangeStreamDocument<Row>[]> {
  const rows = db.collection<Row>('rows');
  const stream = rows.watch([], { startAfter: resumeToken });
  const marker = `marker${round}`;
  await rows.insertOne({ _id: marker, name: marker, n: 0 });
  const events: ChangeStreamDocument<Row>[] = [];
  for (let isOver = false; !isOver; ) {
    const event = await stream.next();
    events.push(event);
    if (event.operationType === 'insert') streamed.set(event.documentKey._id, event.fullDocument);
    else if (event.operationType === 'delete') streamed.delete(event.documentKey._id);
    else if (event.operationType === 'update') {
      const { updatedFields } = event.updateDescription;
      streamed.set(event.documentKey._id, { ...streamed.get(event.documentKey._id)!, ...updatedFields });
    } else throw new Error(`unexpected: ${event.operationType}`);
    isOver = event.operationType === 'insert' && event.documentKey._id === marker;
  }
  resumeToken = stream.resumeToken;
  await stream.close();
  return events;
}

/** Transactions whose events are not consecutive. */
function findScattered(events: readonly ChangeStreamDocument<Row>[]): string[] {
  const names = events.map(({ lsid, txnNumber }) => (lsid ? `${JSON.stringify(lsid)} ${txnNumber}` : ''));
  const starts = names.filter((name, i) => name !== '' && name !== names[i - 1]);
  return starts.filter((name, i) => starts.indexOf(name) !== i);
}

const tokenOf = ({ _id }: ChangeStreamDocument<Row>): string => (_id as { _data: string })._data;

describe('a store killed while 32 writers write, the process or its thread alone', () => {
  it(
    `loses no acknowledged write, tears no transaction, keeps indexes intact and streams each change once, ${ROUNDS} times`,
    async () => {
      const lines: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        if (round === 0) resumeToken = await firstToken();
        const printed = await runAndKill(round);
        lines.push(...printed);

        const store = await startEmbeddedStore({ folder });
        const client = await MongoClient.connect(store.uri);
        const db = client.db('crash');
        const events = await followStream(db, round);
        const rows = new Map((await db.collection<Row>('rows').find().toArray()).map((row) => [row._id, row]));
        const isLast = round === ROUNDS - 1;
        expect(findDamage(rows, isLast ? lines : printed)).toEqual([]);
        const { valid, errors } = await db.command({ validate: 'rows' });
        expect({ valid, errors }).toEqual({ valid: true, errors: [] });

        // Every event has its write, and every write its event.
        expect(differences(streamed, rows)).toEqual([]);
        expect(findScattered(events)).toEqual([]);
        // The events that a subscriber received before the crash are the first ones in the log after it, each once.
        const seen = printed.filter((line) => line.startsWith('seen ')).map((line) => line.slice('seen '.length));
        expect(seen).toEqual(events.map(tokenOf).slice(0, seen.length));
        await client.close();
        await store.close();
      }
      const acknowledged = lines.filter((line) => !line.startsWith('seen '));
      expect(acknowledged.length).toBeGreaterThan(ROUNDS * 16);
      expect(lines.filter((line) => line === 'thread killed').length).toBe(Math.floor(ROUNDS / 2));
    },
    Math.max(120_000, ROUNDS * 10_000),
  );
});

async function firstToken(): Promise<ResumeToken> {
  const store = await startEmbeddedStore({ folder });
  const client = await MongoClient.connect(store.uri);
  const stream = client.db('crash').collection('rows').watch();
  await stream.tryNext();
  const token = stream.resumeToken;
  await client.close();
  await store.close();
  return token;
}

/** Rows that differ between the two. */
function differences(one: ReadonlyMap<string, Row>, other: ReadonlyMap<string, Row>): string[] {
  const ids = new Set([...one.keys(), ...other.keys()]);
  return [...ids].filter((id) => JSON.stringify(one.get(id)) !== JSON.stringify(other.get(id)));
}
