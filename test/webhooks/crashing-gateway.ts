/**
 * A gateway process with the folder, port and step of its arguments. It kills itself when the database command of the
 * step starts (`before`) or succeeds (`after`), as in a power failure.
 */
import type { CommandStartedEvent, Document } from 'mongodb';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';
import type { WebhookEndpointRecord } from '../../src/store/records/webhook.ts';

const [folder, port, step, leaseMs] = process.argv.slice(2) as [string, string, string, string];
const [when, name] = step.split(' ') as ['before' | 'after' | 'never', string];

/** Recognizes the database command of each step of a delivery. */
const STEPS: { readonly [name: string]: (command: Document, verb: string) => boolean } = {
  enqueueing: ({ insert }) => insert === 'webhookDeliveries',
  announcing: ({ update, updates }) => update === 'webhookEndpoints' && '$min' in (updates?.[0]?.u ?? {}),
  'saving-checkpoint': ({ update, updates }) =>
    update === 'webhookPositions' && 'dispatchedUntil' in (updates?.[0]?.u?.$set ?? {}),
  claiming: ({ update, updates }) => update === 'webhookDeliveries' && typeof updates?.[0]?.u?.$set?.lease === 'string',
  'storing-body': ({ insert }) => insert === 'webhookBodies',
  'referring-to-body': ({ update, updates }) =>
    update === 'webhookDeliveries' && 'bodyId' in (updates?.[0]?.u?.$set ?? {}),
  'recording-result': ({ update, updates }) =>
    update === 'webhookDeliveries' && updates?.[0]?.u?.$set?.state === 'delivered',
};

/** Deliveries enqueued during a pause are claimed after it. Without the pause they would skip the claim. */
async function pauseUntilEnqueued(): Promise<void> {
  const { webhookEndpoints } = started.services.store.collections;
  const set = (changes: Partial<WebhookEndpointRecord>) =>
    webhookEndpoints.updateMany({ networkId: 'default' }, { $set: changes });
  const enqueued = new Set<number>();
  const pausedAt = new Date();
  client.on('commandStarted', ({ command, commandName, requestId }: CommandStartedEvent) => {
    if (!STEPS.enqueueing!(command, commandName)) return;
    // Events before the last saved position are enqueued again after a crash.
    const isNew = command.documents.some(({ source }: Document) => source && source.createdAt >= pausedAt);
    if (isNew) enqueued.add(requestId);
  });
  client.on('commandSucceeded', ({ requestId }) => {
    // Repeatedly, because the worker may postpone the endpoint after the first time.
    if (enqueued.delete(requestId)) setInterval(() => void set({ heldUntil: null, dueAt: new Date() }), 50);
  });
  await set({ heldUntil: new Date(Date.now() + 3_600_000) });
}

const started = await start(
  readConfig({
    PORT: port,
    DATA_DIR: folder,
    NODE_ENV: 'test',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }),
  { monitorCommands: true, webhookTimes: { leaseMs: Number(leaseMs), pollMs: 100, dispatcherLeaseMs: 1_000 } },
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
if (name === 'claiming' || name === 'referring-to-body') await pauseUntilEnqueued();
process.stdout.write(`ready ${JSON.stringify(started.keys)}\n`);
