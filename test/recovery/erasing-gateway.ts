/**
 * A gateway process with the folder, port and number of its arguments. It kills itself when the command of this number that
 * writes for an erasure starts, as in a power failure.
 */
import type { CommandStartedEvent } from 'mongodb';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';

const [folder, port, killAt] = process.argv.slice(2) as [string, string, string];
const WRITES: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'bulkWrite',
  'findAndModify',
  'commitTransaction',
]);

const started = await start(
  readConfig({
    PORT: port,
    DATA_DIR: folder,
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    WEBHOOK_DELIVERY: 'false',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }),
  { monitorCommands: true },
);
let isErasing = false;
let writes = 0;
started.services.store.client.on('commandStarted', ({ command, commandName }: CommandStartedEvent) => {
  // From the claim of the erasure on: the request itself is one transaction.
  isErasing ||= commandName === 'findAndModify' && command.findAndModify === 'userErasures';
  if (!isErasing || !WRITES.has(commandName)) return;
  writes += 1;
  if (writes === Number(killAt)) process.kill(process.pid, 'SIGKILL');
});
await started.prepared;
process.stdout.write(`ready ${JSON.stringify(started.keys)}\n`);
