import { spawn } from 'node:child_process';
import { cpSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { isFullLoad } from '../support/full-load.ts';
import { fillStore, ROWS } from './damaged-rows.ts';
import type { Outcome } from './damaged-store.ts';

/** How many stores are damaged; `FUZZ_SEED` chooses the damage. */
const STORES = Number(process.env.FUZZ_STORES ?? (isFullLoad ? 240 : 12));
const SEED = Number(process.env.FUZZ_SEED ?? 11);

let folder: string;
let intact: string;
let program: BuiltProgram;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-damage-'));
  intact = join(folder, 'intact');
  await fillStore(intact);
  program = await buildProgram({
    'damaged-store': 'test/recovery/damaged-store.ts',
    main: 'src/main.ts',
    'embedded-worker': 'src/embedded/worker.ts',
  });
}, 120_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await program.remove();
});

function copyStore(name: string, damage: (file: string) => void): string {
  const copy = join(folder, name);
  cpSync(intact, copy, { recursive: true });
  damage(join(copy, 'store.mdb'));
  return copy;
}

interface Ended {
  code: number | null;
  signal: string | null;
  output: string;
  errors: string;
}

function run(name: string, given: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  const child = spawn(process.execPath, [join(program.folder, name), ...given], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((done) => child.once('close', (code, signal) => done({ code, signal, output, errors })));
}

type Seen = Outcome | (Omit<Outcome, 'kind'> & { kind: 'crash' });

/** Opens and reads the stores in separate processes; a store whose process ends counts as a crash. */
async function lookAt(folders: readonly string[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let left = [...folders]; left.length > 0; ) {
    const { output, signal, code, errors } = await run('damaged-store.js', left);
    const lines = output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Outcome | { started: string });
    for (const line of lines) if ('kind' in line) seen.push(line);
    left = left.slice(lines.filter((line) => 'kind' in line).length);
    const last = lines.at(-1);
    if (last && 'started' in last) {
      const crash = `ended by ${signal ?? `code ${code}`}: ${errors.slice(-500)}`;
      seen.push({ folder: last.started, kind: 'crash', messages: [crash], faults: 0 });
      left = left.slice(1);
    } else if (lines.length === 0) throw new Error(errors);
  }
  return seen;
}

/** A seeded generator of random integers below `limit`. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function change(file: string, write: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  write(bytes);
  writeFileSync(file, bytes);
}

const PAGE = 4096;
const SECTOR = 512;

const half = (file: string) => Math.floor(statSync(file).size / 2);
const DAMAGE: Record<string, (file: string) => void> = {
  'both meta pages are zeroed': (file) => change(file, (bytes) => bytes.fill(0, 0, 8192)),
  'the first page is zeroed': (file) => change(file, (bytes) => bytes.fill(0, 0, 4096)),
  'the file is cut to half': (file) => truncateSync(file, half(file)),
  'the file is cut within its head': (file) => truncateSync(file, 100),
  'the file is empty': (file) => truncateSync(file, 0),
  'the second half is zeroed': (file) => change(file, (bytes) => bytes.fill(0, half(file))),
  'the file is something else': (file) => writeFileSync(file, 'not a store\n'.repeat(5000)),
  '64 words are inverted': (file) => {
    const random = randomFrom(SEED);
    change(file, (bytes) => {
      for (let n = 0; n < 64; n++) {
        const at = random(bytes.length / 4) * 4;
        bytes.writeUInt32LE(~bytes.readUInt32LE(at) >>> 0, at);
      }
    });
  },
};

type Random = (limit: number) => number;
const pageOf = (bytes: Buffer, page: number) => bytes.subarray(page * PAGE, (page + 1) * PAGE);

/** Damage at a random position. Flipped bits are the most frequent on real disks, and the hardest to detect. */
const RANDOM_DAMAGE: Record<string, (file: string, random: Random) => void> = {
  'one bit flipped': (file, random) => change(file, (bytes) => flipBits(bytes, 1, random)),
  'a page zeroed': (file, random) => change(file, (bytes) => pageOf(bytes, random(bytes.length / PAGE)).fill(0)),
  'two bits flipped': (file, random) => change(file, (bytes) => flipBits(bytes, 2, random)),
  'cut anywhere': (file, random) => truncateSync(file, random(statSync(file).size)),
  'three bits flipped': (file, random) => change(file, (bytes) => flipBits(bytes, 3, random)),
  'a sector zeroed': (file, random) =>
    change(file, (bytes) => {
      const at = random(bytes.length / SECTOR) * SECTOR;
      bytes.fill(0, at, at + SECTOR);
    }),
  'cut between pages': (file, random) => truncateSync(file, random(statSync(file).size / PAGE) * PAGE),
  'the last bytes missing': (file, random) => truncateSync(file, statSync(file).size - 1 - random(2 * PAGE)),
  'a page in the place of another': (file, random) =>
    change(file, (bytes) => {
      const pages = bytes.length / PAGE;
      pageOf(bytes, random(pages)).copy(bytes, random(pages) * PAGE);
    }),
  'several pages zeroed': (file, random) =>
    change(file, (bytes) => {
      const at = random(bytes.length / PAGE) * PAGE;
      bytes.fill(0, at, Math.min(bytes.length, at + (1 + random(8)) * PAGE));
    }),
};

function flipBits(bytes: Buffer, flips: number, random: Random): void {
  for (let flip = 0; flip < flips; flip++) bytes[random(bytes.length)]! ^= 1 << random(8);
}

describe('a damaged file of the store', () => {
  it.each(Object.entries(DAMAGE))('refuses to start when %s, naming the file and the way out', async (name, damage) => {
    const data = join(folder, `data ${name}`);
    cpSync(copyStore(name, damage), join(data, 'store'), { recursive: true });
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: data,
      PORT: '0',
      NODE_ENV: 'test',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    };
    const { code, signal, errors } = await run('main.js', [], env);
    expect([code, signal, errors]).toEqual([1, null, expect.stringContaining('npm run store -- restore')]);
    expect(errors).toContain(join(data, 'store', 'store.mdb'));
    expect(errors.trim().split('\n')).toHaveLength(1);
  });

  it(
    'is answered with its data or with a clear error, wherever it is changed, cut, zeroed or overwritten',
    async () => {
      const random = randomFrom(SEED);
      const kinds = Object.entries(RANDOM_DAMAGE);
      const folders = Array.from({ length: STORES }, (_, n) => {
        const [name, damage] = kinds[n % kinds.length]!;
        return copyStore(`${name} ${n}`, (file) => damage(file, random));
      });
      const seen = await lookAt(folders);
      const of = (...kinds: Seen['kind'][]) => seen.filter(({ kind }) => kinds.includes(kind));
      if (STORES > 12) {
        for (const kind of ['right', 'refused', 'error', 'wrong', 'crash'] as const) {
          console.log(kind, of(kind).length, 'found by check:', of(kind).filter(({ faults }) => faults > 0).length);
        }
      }
      if (STORES > 12) {
        const salvaged = of('refused', 'error').map(({ salvaged }) => salvaged ?? 0);
        console.log(`rows salvaged of ${ROWS}: ${salvaged.sort((a, b) => a - b).join(' ')}`);
      }
      expect(seen).toHaveLength(STORES);
      expect(of('wrong', 'crash')).toEqual([]);
      // `store check` finds everything that a reader encounters.
      expect(seen.filter(({ kind, faults }) => kind !== 'right' && faults === 0)).toEqual([]);
      for (const { messages } of of('refused', 'error')) {
        for (const message of messages) expect(message).toMatch(/damaged/);
      }
    },
    STORES * 20_000,
  );
});
