import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT, buildPrograms } from './build.ts';
import { fill, measureReads } from './http-reads.ts';
import { run } from './process.ts';
import { machine, print, type Report } from './report.ts';
import { FULL, SMOKE } from './settings.ts';
import { measureStartUp } from './start-up.ts';
import { measureStore } from './store-alone.ts';

const USAGE = `Measures the gateway beside what a user would build or take instead.

  npm run bench -- [--smoke] [--json FILE]

  --smoke  a few seconds: only shows that everything runs
  --json   also write the figures to FILE
`;

const { values } = parseArgs({
  options: { smoke: { type: 'boolean' }, json: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help) console.log(USAGE);
else await bench();

async function bench(): Promise<void> {
  const scale = values.smoke ? SMOKE : FULL;
  await buildPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'));
  const program = run(`${BUILT}store.js`, { STORE_FOLDER: folder });
  try {
    const { uri } = (await Promise.race([program.message, program.failed])) as { uri: string };
    progress(`${(await fill(uri, scale)).toLocaleString('en')} records written; reads over HTTP`);
    const reads = await measureReads(program, uri, scale);
    progress('the store alone');
    const store = await measureStore(uri, scale.storeCalls);
    progress('start-up');
    const report: Report = { machine: machine(), reads, startUp: await measureStartUp(scale.starts), store };
    console.log(print(report));
    if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function progress(step: string): void {
  console.error(`${(performance.now() / 1_000).toFixed(1).padStart(6)} s  ${step}`);
}
