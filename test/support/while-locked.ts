import type { CommandStartedEvent } from 'mongodb';
import { vi } from 'vitest';
import type { Store } from '../../src/store/store.ts';

/** An operation that does not wait for a lock sends its next command in less time. */
const IDLE_MS = 300;

export interface WhileLocked<Answer> {
  store: Store;
  key: string;
  /** Starts operations that wait for the lock of the key. */
  start(): Promise<Answer>[];
  /** Runs while they wait. */
  happens(): Promise<unknown>;
}

/** Holds the lock of a key until operations wait for it and something else has happened. @returns their results */
export async function whileLocked<Answer>({ store, key, start, happens }: WhileLocked<Answer>): Promise<Answer[]> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = store.withKeyLock(key, Number.POSITIVE_INFINITY, () => released);
  let sentAt = Number.POSITIVE_INFINITY;
  const note = ({ commandName }: CommandStartedEvent) => {
    // Change streams send it all the time.
    if (commandName !== 'getMore') sentAt = performance.now();
  };
  store.client.on('commandStarted', note);
  const started = start();
  await vi.waitUntil(() => performance.now() - sentAt > IDLE_MS, { timeout: 60_000 });
  store.client.off('commandStarted', note);
  await happens();
  release();
  await holding;
  return Promise.all(started);
}
