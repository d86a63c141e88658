import { setTimeout as pause } from 'node:timers/promises';
import type { Collections } from '../store/collections.ts';
import { announce, type EndpointKey } from './queue.ts';

/** Announces that a delivery of the endpoint is due again; several announcements within a moment share one command. */
export type NotifyDue = (dueAt: Date) => Promise<void>;

const GATHER_MS = 20;

export function createDueNotifier(collections: Collections, key: EndpointKey): NotifyDue {
  let next: { dueAt: Date; announced: Promise<void> } | null = null;

  async function notify(): Promise<void> {
    await pause(GATHER_MS);
    const { dueAt } = next!;
    next = null;
    await announce(collections, key, dueAt);
  }

  return (dueAt) => {
    if (next) {
      if (dueAt < next.dueAt) next.dueAt = dueAt;
    } else {
      next = { dueAt, announced: notify() };
    }
    return next.announced;
  };
}
