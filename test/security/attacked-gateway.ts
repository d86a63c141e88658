import type { CommandStartedEvent } from 'mongodb';
import { expect } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { separateCommands } from '../support/separate-commands.ts';

/** Starts a gateway without log output, and records the database commands it sends as JSON. */
export async function startAttackedGateway(): Promise<{ gateway: TestGateway; commands: string[] }> {
  const gateway = await startTestGateway({ LOG_LEVEL: 'silent' });
  const commands: string[] = [];
  gateway.services.store.client.on('commandStarted', (event: CommandStartedEvent) => {
    for (const { command } of separateCommands(event)) commands.push(JSON.stringify(command));
  });
  return { gateway, commands };
}

/** Asserts that the gateway serves another user after an attack. */
export async function expectServing(gateway: TestGateway): Promise<void> {
  expect((await gateway.rest('/api/v3/posts/seedlings', { as: 'carol' })).status).toBe(200);
}
