import { setTimeout as pause } from 'node:timers/promises';
import type { Collections } from '../store/collections.ts';
import { announce, type EndpointKey } from './queue.ts';

/** Says that a delivery is due again, once for many that are given back together. */
export type Tell = (dueAt: Date) => Promise<void>;

const GATHER_MS = 20;

export function createTeller(collections: Collections, key: EndpointKey): Tell {
  let next: { dueAt: Date; told: Promise<void> } | null = null;

  async function tell(): Promise<void> {
    await pause(GATHER_MS);
    const { dueAt } = next!;
    next = null;
    await announce(collections, key, dueAt);
  }

  return (dueAt) => {
    if (next) {
      if (dueAt < next.dueAt) next.dueAt = dueAt;
    } else {
      next = { dueAt, told: tell() };
    }
    return next.told;
  };
}
