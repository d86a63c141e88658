/**
 * The process that is killed: a gateway on the folder and port given, which kills itself when the command of its
 * database that `step` names has begun or has succeeded, as if the power had failed right there.
 */
import type { CommandStartedEvent, Document } from 'mongodb';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';

const [folder, port, step] = process.argv.slice(2) as [string, string, string];
const [when, name] = step.split(' ') as ['before' | 'after' | 'never', string];

/** Steps on the way of a delivery, by the command that makes each. */
const STEPS: { readonly [name: string]: (command: Document, verb: string) => boolean } = {
  'putting-in': ({ insert }) => insert === 'webhookDeliveries',
  announcing: ({ update, updates }) => update === 'webhookEndpoints' && '$min' in (updates?.[0]?.u ?? {}),
  'noting-position': ({ update, updates }) =>
    update === 'webhookPositions' && 'dispatchedUntil' in (updates?.[0]?.u?.$set ?? {}),
  claiming: ({ update, updates }) => update === 'webhookDeliveries' && typeof updates?.[0]?.u?.$set?.lease === 'string',
  'keeping-body': ({ update, updates }) => update === 'webhookDeliveries' && 'body' in (updates?.[0]?.u?.$set ?? {}),
  'noting-outcome': ({ update, updates }) =>
    update === 'webhookDeliveries' && updates?.[0]?.u?.$set?.state === 'delivered',
};

const started = await start(
  readConfig({
    PORT: port,
    DATA_DIR: folder,
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }),
  { monitorCommands: true, webhookTimes: { leaseMs: 3_000, pollMs: 100, dispatcherLeaseMs: 1_000 } },
);
const { client } = started.services.store;
const isStep = STEPS[name] ?? (() => false);
const die = () => process.kill(process.pid, 'SIGKILL');
const awaited = new Set<number>();
client.on('commandStarted', ({ command, commandName, requestId }: CommandStartedEvent) => {
  if (!isStep(command, commandName)) return;
  if (when === 'before') die();
  if (when === 'after') awaited.add(requestId);
});
client.on('commandSucceeded', ({ requestId }) => {
  if (awaited.has(requestId)) die();
});
await started.prepared;
if (name === 'claiming' || name === 'keeping-body') {
  // What is put in while the endpoint is held is claimed, later: else it goes out without that.
  const heldUntil = new Date(Date.now() + 2_000);
  await started.services.store.collections.webhookEndpoints.updateMany(
    { networkId: 'default' },
    { $set: { heldUntil } },
  );
}
process.stdout.write(`ready ${JSON.stringify(started.keys)}\n`);
