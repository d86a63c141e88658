import { setTimeout as pause } from 'node:timers/promises';
import type { Collections } from '../store/collections.ts';
import { announceDue, type EndpointKey } from './queue.ts';

/** Announces when a delivery of the endpoint is due again. Announcements within {@link GATHER_MS} share one command. */
export type NotifyDue = (dueAt: Date) => Promise<void>;

const GATHER_MS = 20;

export function createDueNotifier(collections: Collections, key: EndpointKey): NotifyDue {
  let next: { dueAt: Date; announced: Promise<void> } | null = null;

  async function notify(): Promise<void> {
    await pause(GATHER_MS);
    const { dueAt } = next!;
    next = null;
    await announceDue(collections, key, dueAt);
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
