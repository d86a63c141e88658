/**
 * Takes the steps of `command-steps.ts` on a real MongoDB 7.0 (`MONGODB_URI`) and writes its replies as
 * fixtures: all of them, or the groups named as arguments.
 */
import { writeFileSync } from 'node:fs';
import { COMMAND_STEPS } from '../test/store/command-steps.ts';
import { runSteps } from '../test/store/run-steps.ts';

const uri = process.env.MONGODB_URI;
if (!uri) throw new Error('set MONGODB_URI to the server to record');

const wanted = process.argv.slice(2);
for (const [name, steps] of Object.entries(COMMAND_STEPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const replies = await runSteps(uri, steps);
  writeFileSync(
    new URL(`../test/store/fixtures/commands-${name}.json`, import.meta.url),
    `[\n${replies.join(',\n')}\n]\n`,
  );
  console.log(`${name}: ${replies.length} replies`);
}
