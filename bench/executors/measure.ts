import { join } from 'node:path';
import { BUILT } from '../build.ts';
import { canonical } from '../http/answers.ts';
import { installPackages, type Packages } from '../peers/install.ts';
import { type Program, run } from '../process.ts';
import { inRounds, type Quartiles, quartilesOf, ratiosOf } from '../rounds.ts';
import { GATEWAY_ENV } from '../settings.ts';
import { type Cell, table } from '../table.ts';
import { EXECUTORS, type ExecutorName, executorsOf, LOADERS, type LoaderKind, WORKS } from './works.ts';

const PACKAGES = { grafast: '1.1.3', 'graphql-jit': '0.8.9' };
/** What grafast requires. */
const MIN_NODE = 22;
/** Used where this process is older. */
const NODE = '24.21.0';

export interface ExecutorsScale {
  rounds: number;
  /** Processor time, so that a busy machine does not shorten a slice. */
  sliceMs: number;
  warmUpMs: number;
  /** Operations of the warm-up at least: each post once for each of its viewers takes 480. */
  warmUpOperations: number;
}

export interface ExecutorResult {
  work: string;
  loaders: LoaderKind;
  executor: ExecutorName;
  /** Processor time per operation. */
  microseconds: Quartiles;
  /** That of the gateway's plan divided by this one's, of each round: above 1, this executor is faster. */
  speed: Quartiles;
  /** Per operation. */
  bytes: number;
  /** Commands to the database per operation. */
  commands: number;
}

export interface ExecutorsReport {
  /** Version of Node.js in which everything was measured. */
  node: string;
  results: ExecutorResult[];
  /** Milliseconds of processor time until a new document is answered once: the median. */
  firstAnswers: Array<{ work: string; executor: ExecutorName; milliseconds: number }>;
}

interface Variant {
  work: string;
  loaders: LoaderKind;
  executor: ExecutorName;
}

interface Measured {
  operations: number;
  microseconds: number;
  /** Of an answer. */
  bytes: number;
  commands: number;
}

/** Compares executors over the same schema, loaders and records: processor time from the variables to the bytes of the answer. */
export async function measureExecutors(
  store: { uri: string },
  { rounds, sliceMs, warmUpMs, warmUpOperations }: ExecutorsScale,
  progress: (step: string) => void,
): Promise<ExecutorsReport> {
  const packages = await installPackages({ ...PACKAGES, ...nodePackage() }, { shared: ['graphql'] });
  progress('executors are installed');
  const node = nodePackage() ? join(packages, 'node_modules', nodeName(), 'bin', 'node') : process.execPath;
  const programs = new Map<ExecutorName, Program>();
  try {
    for (const executor of EXECUTORS) {
      const env = { ...GATEWAY_ENV, GRAPHILE_ENV: 'production', MONGODB_URI: store.uri, CACHE_MB: '64' };
      const program = run(`${BUILT}executor.js`, { ...env, EXECUTOR: executor, EXECUTOR_PACKAGES: packages }, node);
      programs.set(executor, program);
      await Promise.race([program.message, program.failed]);
    }
    const request = async <Value>(executor: ExecutorName, message: object): Promise<Value> => {
      const { value, error } = (await programs.get(executor)!.request(JSON.stringify(message))) as {
        value: Value;
        error?: string;
      };
      if (error !== undefined) throw new Error(`${executor}: ${error}`);
      return value;
    };
    const variants = Object.keys(WORKS).flatMap((work) =>
      LOADERS.flatMap((loaders) => executorsOf(work).map((executor): Variant => ({ work, loaders, executor }))),
    );
    const measure = (variant: Variant, processorMs: number, atLeast = 1) =>
      request<Measured>(variant.executor, { what: 'measure', ...variant, processorMs, atLeast });
    const check = async () => {
      for (const work of Object.keys(WORKS))
        for (const loaders of LOADERS)
          for (const place of [0, 1, 2, 3, 34])
            await compare(work, (executor) => request(executor, { what: 'answer', work, loaders, place }));
    };
    await check();
    progress('answers are equal');
    for (const variant of variants) {
      // Reads of the database take most of an operation, and are the same for all executors.
      const atLeast = variant.loaders === 'store' ? warmUpOperations / 4 : warmUpOperations;
      await measure(variant, warmUpMs, atLeast);
    }
    progress('warm');
    const measured = await inRounds(variants, rounds, (variant) => measure(variant, sliceMs));
    progress('new documents');
    const firstAnswers = await measureFirstAnswers(rounds, (executor, work) =>
      request(executor, { what: 'first', work }),
    );
    await check();
    const results = variants.map((variant): ExecutorResult => {
      const to = variants.find(
        ({ work, loaders, executor }) =>
          work === variant.work && loaders === variant.loaders && executor === EXECUTORS[0],
      )!;
      const all = measured.map((round) => round.get(variant)!);
      const operations = all.reduce((sum, one) => sum + one.operations, 0);
      return {
        ...variant,
        microseconds: quartilesOf(all.map(({ microseconds }) => microseconds)),
        speed: quartilesOf(ratiosOf(measured, { of: to, to: variant, by: ({ microseconds }) => microseconds })),
        bytes: all.reduce((sum, one) => sum + one.bytes * one.operations, 0) / operations,
        commands: all.reduce((sum, one) => sum + one.commands, 0) / operations,
      };
    });
    return { node: nodePackage() ? NODE : process.versions.node, results, firstAnswers };
  } finally {
    await Promise.all([...programs.values()].map((program) => program.stop()));
  }
}

const nodeName = (): string => `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

function nodePackage(): Packages | null {
  return Number(process.versions.node.split('.')[0]) >= MIN_NODE ? null : { [nodeName()]: NODE };
}

/** @throws Error unless all executors return the same answer; side arrays may be in another order */
async function compare(work: string, answer: (executor: ExecutorName) => Promise<string>): Promise<void> {
  const [first, ...others] = executorsOf(work);
  const expected = canonical(JSON.parse(await answer(first!)));
  for (const executor of others) {
    const actual = canonical(JSON.parse(await answer(executor)));
    if (actual !== expected) {
      let at = 0;
      while (actual[at] === expected[at]) at += 1;
      const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
      throw new Error(`${work}: ${executor} answers\n${around(actual)}\ninstead of\n${around(expected)}`);
    }
  }
}

async function measureFirstAnswers(
  rounds: number,
  measure: (executor: ExecutorName, work: string) => Promise<number>,
): Promise<ExecutorsReport['firstAnswers']> {
  const variants = Object.keys(WORKS).flatMap((work) =>
    executorsOf(work)
      .filter((executor) => executor !== 'rest-plan')
      .map((executor) => ({ work, executor })),
  );
  const measured = await inRounds(variants, rounds, ({ executor, work }) => measure(executor, work));
  return variants.map((variant) => ({
    ...variant,
    milliseconds: quartilesOf(measured.map((round) => round.get(variant)!)).median,
  }));
}

export function printExecutors({ node, results, firstAnswers }: ExecutorsReport): string {
  const range = ({ lower, median, upper }: Quartiles, digits: number) =>
    `${median.toFixed(digits)} (${lower.toFixed(digits)}–${upper.toFixed(digits)})`;
  const rows = results.map(({ work, loaders, executor, microseconds, speed, bytes, commands }): Cell[] => [
    `${work}, ${loaders}`,
    executor,
    range(microseconds, 1),
    range(speed, 2),
    bytes,
    commands,
    firstAnswers.find((one) => one.work === work && one.executor === executor)?.milliseconds ?? '',
  ]);
  return [
    `Executors on Node ${node}: processor time per operation, median (quartiles); above 1 is faster than the plan`,
    table(['', 'executor', 'µs', '× plan', 'bytes', 'commands', 'new document ms'], rows),
  ].join('\n');
}
