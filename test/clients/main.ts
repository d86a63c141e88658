import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildGateway } from '../support/build-program.ts';
import { startGateway } from './gateway.ts';
import { CLIENTS, type ClientPackage, installClient, RegistryUnreachable } from './packages.ts';
import type { Report, Start } from './run-application.ts';

/**
 * Runs an application on each published client against a fresh gateway. Fails for a step that fails twice without being
 * listed in `expected-failures.json`, and for a listed step that passes or no longer exists, so that the list only shrinks.
 *
 * Arguments: parts of client names. `--area NAME` runs single areas; `--patience MS` changes how
 * long steps wait for a change; `--shrink` removes listed steps that pass.
 */
const EXPECTED = join(import.meta.dirname, 'expected-failures.json');
/** An application that reports nothing for this long is ended. */
const SILENCE_LIMIT_MS = 120_000;

type Step = Extract<Report, { kind: 'step' }>;

interface Outcome {
  steps: Step[];
  coverage: Extract<Report, { kind: 'coverage' }> | null;
  /** Why the application ended before its last step. */
  aborted: string | null;
}

const { values, positionals } = parseArgs({
  options: {
    area: { type: 'string', multiple: true, default: [] },
    shrink: { type: 'boolean', default: false },
    patience: { type: 'string', default: '30000' },
    coverage: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const expected: Record<string, string[]> = JSON.parse(await readFile(EXPECTED, 'utf8'));
const clients = CLIENTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const program = await buildGateway();
const problems: string[] = [];
const summaries: string[] = [];
try {
  for (const client of clients) {
    console.log(`── ${client.name}`);
    const folder = await installClient(client).catch((error: unknown) => {
      if (error instanceof RegistryUnreachable) return null;
      throw error;
    });
    if (folder !== null) compareWithExpected(client.name, await runTwice(client, folder));
    else summaries.push(`${client.name}: skipped, because the npm registry cannot be reached`);
  }
} finally {
  await program.remove();
}
if (values.shrink) await writeFile(EXPECTED, `${JSON.stringify(expected, null, 2)}\n`);
for (const problem of problems) console.log(problem);
for (const summary of summaries) console.log(summary);
process.exitCode = problems.length > 0 && !values.shrink ? 1 : 0;

/** Runs an application, and areas with unexpected failures once more: a step that passes then is reported as flaky. */
async function runTwice(client: ClientPackage, folder: string): Promise<Outcome> {
  const outcome = await runClient(client, folder, values.area);
  const isUnexpected = ({ name, error }: Step) => error !== null && !expected[client.name]?.includes(name);
  const areas = new Set(outcome.steps.filter(isUnexpected).map(({ name }) => name.slice(0, name.indexOf(':'))));
  if (areas.size === 0 || outcome.aborted !== null) return outcome;
  console.log(`── again: ${[...areas].join(', ')}`);
  const again = await runClient(client, folder, [...areas]);
  const passed = new Set(again.steps.filter(({ error }) => error === null).map(({ name }) => name));
  const steps = outcome.steps.map((step) => {
    if (!isUnexpected(step) || !passed.has(step.name)) return step;
    console.log(`flaky: ${client.name}: ${step.name} failed, and passed when its area ran again`);
    return { ...step, error: null };
  });
  return { ...outcome, steps };
}

async function runClient(client: ClientPackage, folder: string, areas: readonly string[]): Promise<Outcome> {
  const gateway = await startGateway(program);
  const outcome: Outcome = { steps: [], coverage: null, aborted: null };
  const child = fork(join(import.meta.dirname, 'run-application.ts'), {
    execArgv: ['--import', 'tsx'],
    stdio: process.env.VERBOSE ? 'inherit' : ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await new Promise<void>((resolve) => {
      const abort = (reason: string) => {
        outcome.aborted = reason;
        child.kill('SIGKILL');
        resolve();
      };
      let silence = setTimeout(abort, SILENCE_LIMIT_MS, 'it reported nothing any more');
      const { url, apiKey, serverKey } = gateway;
      const { package: name, version } = client;
      const listed = expected[client.name] ?? [];
      const start = {
        folder,
        package: name,
        version,
        url,
        apiKey,
        serverKey,
        expected: listed,
        only: [...areas],
        patienceMs: Number(values.patience),
      } satisfies Start;
      child.on('message', (message: Report) => {
        clearTimeout(silence);
        silence = setTimeout(abort, SILENCE_LIMIT_MS, 'it reported nothing any more');
        if (message.kind === 'ready') child.send(start);
        else if (message.kind === 'step') record(outcome, message);
        else if (message.kind === 'coverage') outcome.coverage = message;
        else if (message.kind === 'gateway') void gateway[message.action]().then(() => child.send(message.id));
      });
      child.on('exit', (code) => {
        clearTimeout(silence);
        if (outcome.coverage === null && outcome.aborted === null) outcome.aborted = `it ended with ${code}`;
        resolve();
      });
    });
  } finally {
    child.kill('SIGKILL');
    await gateway.close();
  }
  return outcome;
}

function record(outcome: Outcome, step: Step): void {
  outcome.steps.push(step);
  console.log(step.error === null ? `✓ ${step.name}` : `✗ ${step.name} — ${step.error}`);
}

/** Compares the results with the list of expected failures. */
function compareWithExpected(client: string, { steps, coverage, aborted }: Outcome): void {
  const listed = new Set(expected[client]);
  const failed = new Set(steps.filter(({ error }) => error !== null).map(({ name }) => name));
  for (const { name, error } of steps) {
    if (error !== null && !listed.has(name)) problems.push(`${client}: ${name} failed: ${error}`);
    if (error === null && listed.has(name)) problems.push(`${client}: ${name} passes: remove it from the list`);
  }
  if (aborted !== null) problems.push(`${client}: the application did not reach its end: ${aborted}`);
  else if (values.area.length === 0) {
    const names = new Set(steps.map(({ name }) => name));
    for (const name of listed)
      if (!names.has(name)) problems.push(`${client}: ${name} is listed, but there is no such step`);
  }
  if (values.shrink) expected[client] = [...listed].filter((name) => failed.has(name));
  const passed = steps.length - failed.size;
  summaries.push(`${client}: ${passed} of ${steps.length} steps${functionsOf(coverage)}`);
  if (values.coverage && coverage) {
    console.log(`not called: ${coverage.exported.filter((name) => !coverage.called.includes(name)).join(', ')}`);
  }
}

function functionsOf(coverage: Outcome['coverage']): string {
  if (coverage === null) return '';
  const called = coverage.exported.filter((name) => coverage.called.includes(name));
  return `, ${called.length} of ${coverage.exported.length} exported functions called`;
}
