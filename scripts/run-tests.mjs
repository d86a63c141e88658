// Runs vitest with the given arguments, and every test file that failed once more, alone. A file that passes then is
// reported as flaky and does not fail the run. The run fails immediately for what no test file explains: an unhandled
// error, a crash or an interruption of vitest, or more failed files than flaky tests leave.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAX_RERUNS = 10;
const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'failed-files-'));
let running;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => running?.kill(signal));

process.exitCode = await main(process.argv.slice(2)).finally(() => rmSync(folder, { recursive: true, force: true }));

async function main(args) {
  const { status, report } = await runVitest(args);
  if (status === 0) return 0;
  if (!report || report.unhandledErrors > 0 || report.reason === 'interrupted')
    return fail('The run itself failed', status);
  const { failed } = report;
  if (failed.length === 0) return fail('No test file explains the failure', status);
  if (failed.length > MAX_RERUNS) return fail(`${failed.length} files failed: none is run again`, status);
  const flaky = [];
  for (const { file, project } of failed) {
    console.log(`\n── again, alone: ${file}`);
    const again = await runVitest([file, ...(project ? ['--project', project] : [])]);
    if (again.status === 0) flaky.push(file);
  }
  for (const file of flaky) console.log(`flaky: ${file} failed, and passed when it ran again alone`);
  const broken = failed.filter(({ file }) => !flaky.includes(file));
  for (const { file } of broken) console.log(`failed twice: ${file}`);
  return broken.length === 0 ? 0 : 1;
}

function fail(reason, status) {
  console.log(`${reason}.`);
  return status || 1;
}

function runVitest(args) {
  const file = join(folder, `${Date.now()}.json`);
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'failed-files-reporter.mjs')}`];
  // The Node.js that runs this script also runs the tests.
  running = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, FAILED_FILES: file },
  });
  return new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('exit', (code, signal) => resolve({ status: signal ? 128 : code, report: readReport(file) }));
  });
}

/** Null when vitest ended before it wrote its report. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
