import { expect } from 'vitest';
import { EVENTS, type EventName } from '../../src/events/catalogue.ts';
import { asyncApiProblems, messageAt } from '../support/asyncapi.ts';
import type { TestGateway } from '../support/gateway.ts';

/**
 * Reads the newest event of each name, as a webhook with the server key and as a realtime event of an administrator,
 * and checks the responses against the OpenAPI and AsyncAPI documents.
 *
 * @returns the names of webhooks without an event
 */
export async function undeliveredWebhooks(gateway: TestGateway, names: readonly EventName[]): Promise<string[]> {
  const undelivered: string[] = [];
  const serverKey = { as: null, headers: { 'x-server-key': gateway.keys.SERVER_KEY } };
  for (const name of names) {
    const { webhook, realtime } = EVENTS[name];
    if (realtime) await hasEvent(`/realtime/${name}`, { as: 'admin' });
    if (webhook !== null && !(await hasEvent(`/webhook/${webhook}`, serverKey))) undelivered.push(webhook);
  }
  return undelivered;

  /** `gateway.rest` validates the response against the OpenAPI document. */
  async function hasEvent(path: string, options: Parameters<TestGateway['rest']>[1]): Promise<boolean> {
    const { status, body } = await gateway.rest(path, options);
    expect([200, 204], path).toContain(status);
    if (status === 200) expect(asyncApiProblems(messageAt(path)!, body), path).toEqual([]);
    return status === 200;
  }
}
