/**
 * Runs random scripts against the embedded store and a real MongoDB 7.0 (`MONGODB_URI`) and reports where they differ:
 *
 *   MONGODB_URI=… npx tsx scripts/differential.ts --scripts 10000 --seed 1
 *
 * `--workers` scripts run concurrently. It stops after `--failures` kinds of differences, and prints each one reduced to a
 * small script. `--only` runs the script of one seed. `--record 500` writes as many scripts, with MongoDB's replies, as a
 * fixture of the suite.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EJSON } from 'bson';
import { type Difference, findDifference, kindOf } from '../test/store/differential/compare.ts';
import { type Recorded, writeRecorded } from '../test/store/differential/fixture.ts';
import { generateScript } from '../test/store/differential/generate.ts';
import { openRunner, ServerEnded } from '../test/store/differential/run.ts';
import type { Script } from '../test/store/differential/script.ts';
import { shrink } from '../test/store/differential/shrink.ts';
import { startEngine } from '../test/store/engine-support.ts';

const { values } = parseArgs({
  options: {
    scripts: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '6' },
    failures: { type: 'string', default: '10' },
    only: { type: 'string' },
    record: { type: 'string', default: '0' },
  },
});
const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('set MONGODB_URI to the server to compare with');

const seed = Number(values.seed);
const total = values.only ? 1 : Number(values.scripts);
const engine = await startEngine({ refuseUnindexed: false });
const startedAt = Date.now();
const kinds = new Map<string, number>();
let next = 0;
let done = 0;
let commands = 0;
const recorded: Recorded[] = [];
const unanswered: string[] = [];
/** How long a server may take to restart. */
const RESTART_MS = 12_000;

interface Found extends Difference {
  kind: string;
}

type Runner = ReturnType<typeof openRunner>;

async function compare(
  script: Script,
  [embedded, server]: readonly [Runner, Runner],
  keep?: (answers: Recorded['answers']) => void,
) {
  const [is, was] = await Promise.all([embedded.run(script), patiently(() => server.run(script))]);
  commands += was.length;
  keep?.(was);
  const difference = findDifference(script, is, was);
  return difference && { ...difference, kind: kindOf(script, difference) };
}

/** Retries when a server ended, as one under emulation may, and was restarted. */
async function patiently<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = 5; ; left--) {
    try {
      return await run();
    } catch (error) {
      if (left === 0 || !(error instanceof ServerEnded)) throw error;
      await pause(RESTART_MS);
    }
  }
}

async function work(): Promise<void> {
  const runners = [
    openRunner({ uri: engine.uri, isEmbedded: true }),
    openRunner({ uri: uri!, isEmbedded: false }),
  ] as const;
  while (next < total && kinds.size < Number(values.failures)) {
    const script = generateScript(values.only ? Number(values.only) : seed * 1_000_000 + next++);
    if (values.only) next++;
    const difference = await compare(script, runners, (answers) => {
      if (recorded.length < Number(values.record)) recorded.push({ script, answers });
    }).catch(giveUp);
    if (++done % 200 === 0) progress();
    if (!difference) continue;
    const seen = kinds.get(difference.kind) ?? 0;
    kinds.set(difference.kind, seen + 1);
    if (seen < 3) await report(script, difference, runners);
  }
  for (const runner of runners) await runner.close();
}

/** A server that ends during a script has no response to compare with. */
function giveUp(error: unknown): undefined {
  if (!(error instanceof ServerEnded)) throw error;
  unanswered.push(error.message);
}

async function report(script: Script, first: Found, runners: readonly [Runner, Runner]): Promise<void> {
  const { kind } = first;
  const small = await shrink(script, async (candidate) => (await compare(candidate, runners))?.kind === kind);
  const difference = await compare(small, runners);
  console.log(`\n#${script.seed} ${kind}`);
  const last = difference?.step ?? small.steps.length - 1;
  for (const { command, ...more } of small.steps.slice(0, last + 1)) {
    console.log(
      `  ${brief(EJSON.stringify(command, { relaxed: false }))} ${Object.keys(more).length > 0 ? JSON.stringify(more) : ''}`,
    );
  }
  if (!difference) console.log(`  not reproduced; at first, at step ${first.step}`);
  const { is, was } = difference ?? first;
  console.log(`  embedded ${brief(is)}\n  mongodb  ${brief(was)}`);
}

const MARKS: Readonly<Record<string, string>> = { Int: '', Double: 'd', Long: 'L', Decimal: 'm' };
const brief = (text: string): string =>
  text.replace(/\{"\$number(Int|Double|Long|Decimal)":"([^"]*)"\}/g, (_, type, value) => value + MARKS[type]);

function progress(): void {
  const seconds = (Date.now() - startedAt) / 1000;
  console.log(
    `${done} scripts, ${commands} commands, ${seconds.toFixed(0)} s, ${[...kinds.values()].reduce((a, b) => a + b, 0)} differ`,
  );
}

await Promise.all(Array.from({ length: Number(values.workers) }, work));
progress();
for (const message of unanswered) console.log(`  not compared: ${message}`);
for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`  ${count} x ${kind}`);
if (recorded.length > 0) writeRecorded(recorded.sort((a, b) => a.script.seed - b.script.seed));
await engine.close();
process.exitCode = kinds.size > 0 ? 1 : 0;
