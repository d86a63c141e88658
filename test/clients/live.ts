import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './rest-user.ts';

/** What a client passes to the callback of a live object or collection. */
export interface Snapshot {
  data: Json;
  loading: boolean;
  error?: unknown;
  hasNextPage?: boolean;
  onNextPage?: () => void;
}

export type Subscribe = (callback: (snapshot: Snapshot) => void) => unknown;

/** A live object or collection that an application displays. */
export interface Live {
  /** The latest snapshot. */
  readonly now: Snapshot | undefined;
  /** Waits until the displayed data fulfils a condition. @returns the data */
  until(description: string, condition: (data: Json) => unknown): Promise<Json>;
  /** Waits until the first data arrived. */
  loaded(): Promise<Json>;
  close(): void;
}

/** Milliseconds for which steps wait for a change; steps that are expected to fail wait less. */
export const patience = { ms: 10_000 };

/** Displays a live object or collection. */
export function display(subscribe: Subscribe): Live {
  let now: Snapshot | undefined;
  const unsubscribe = subscribe((snapshot) => {
    now = snapshot;
  });
  const until: Live['until'] = async (description, condition) => {
    await waitFor(
      () => now !== undefined && !now.loading && !now.error && now.data !== undefined && condition(now.data),
      () => `${description}: ${summary(now)}`,
    );
    return now!.data;
  };
  return {
    get now() {
      return now;
    },
    until,
    loaded: () => until('nothing was loaded', () => true),
    close: () => {
      if (typeof unsubscribe === 'function') unsubscribe();
    },
  };
}

function summary(snapshot: Snapshot | undefined): string {
  if (!snapshot) return 'nothing was displayed';
  const { data, error, loading } = snapshot;
  if (error) return `error ${messageOf(error)}`;
  if (loading) return 'still loading';
  return Array.isArray(data) ? `${data.length} displayed` : `displayed ${JSON.stringify(data)?.slice(0, 160)}`;
}

/** Waits until a condition holds. */
export async function waitFor(condition: () => unknown, description: string | (() => string)): Promise<void> {
  const end = Date.now() + patience.ms;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(typeof description === 'string' ? description : description());
    await sleep(20);
  }
}

/** The message of whatever a client throws. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message.split('\n')[0]!;
  return JSON.stringify(error) ?? String(error);
}
