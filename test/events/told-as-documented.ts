import { expect } from 'vitest';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { asyncApiProblems, messageAt } from '../support/asyncapi.ts';
import type { TestGateway } from '../support/gateway.ts';

/**
 * Asks for the newest event of each name, as the application itself and as an admin, and holds what is told against
 * both documents of the interface.
 *
 * @returns the webhooks of which nothing is told
 */
export async function toldAsDocumented(gateway: TestGateway, names: readonly EventName[]): Promise<string[]> {
  const silent: string[] = [];
  const serverKey = { as: null, headers: { 'x-server-key': gateway.keys.SERVER_KEY } };
  for (const name of names) {
    const { webhook, realtime } = EVENTS[name];
    if (realtime) await ask(`/realtime/${name}`, { as: 'admin' });
    if (webhook !== null && !(await ask(`/webhook/${webhook}`, serverKey))) silent.push(webhook);
  }
  return silent;

  /** By `rest` it is checked against the OpenAPI document. */
  async function ask(path: string, options: Parameters<TestGateway['rest']>[1]): Promise<boolean> {
    const { status, body } = await gateway.rest(path, options);
    expect([200, 204], path).toContain(status);
    if (status === 200) expect(asyncApiProblems(messageAt(path)!, body), path).toEqual([]);
    return status === 200;
  }
}
