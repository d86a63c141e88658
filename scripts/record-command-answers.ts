/**
 * Runs the steps of `test/store/command-steps` and the probes of `command-options.ts` on a real MongoDB 7.0 (`MONGODB_URI`) and
 * writes its replies as fixtures: all of them, or the groups named as arguments (`options` for the probes).
 */
import { writeFileSync } from 'node:fs';
import { runOptionProbes } from '../test/store/command-options.ts';
import { COMMAND_STEPS } from '../test/store/command-steps/command-steps.ts';
import { runSteps } from '../test/store/run-steps.ts';

const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('set MONGODB_URI to the server to record');

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const write = (file: string, lines: readonly string[]): void =>
  writeFileSync(new URL(`../test/store/fixtures/${file}.json`, import.meta.url), `[\n${lines.join(',\n')}\n]\n`);

for (const [name, steps] of Object.entries(COMMAND_STEPS)) {
  if (!isWanted(name)) continue;
  const replies = await runSteps(uri, steps);
  write(`commands-${name}`, replies);
  console.log(`${name}: ${replies.length} replies`);
}
if (isWanted('options')) {
  const answers = await runOptionProbes(uri);
  write(
    'command-options',
    answers.map(({ shown }) => JSON.stringify(shown)),
  );
  console.log(`options: ${answers.length} replies`);
}
