import { setImmediate as turn } from 'node:timers/promises';
import type { Services } from '../../context.ts';
import type { LiveEvent } from '../../events/log.ts';
import { compositeKey } from '../../lib/composite-key.ts';
import type { Rendering } from '../subscribers/ordered-queue.ts';
import type { SubscriptionSpec } from '../subscription-spec.ts';
import { createLazyEventView } from '../visibility/lazy-event-view.ts';
import type { RenderEvent, Subscriber } from './renderer.ts';

export interface ReplayRendererOptions {
  services: Services;
  prepare: RenderEvent;
  /** Bounds what is prepared at once in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What an event looks like to one of those who missed it; nothing when they do not see it. */
export type RenderReplay = (
  program: SubscriptionSpec,
  live: LiveEvent,
  member: Subscriber,
) => Promise<Array<Rendering<Subscriber>>>;

interface Batch {
  members: Subscriber[];
  texts: Promise<ReadonlyMap<Subscriber, Rendering<Subscriber>['text']>>;
}

/**
 * After a restart thousands come back to the same events. Those who ask for one while it waits for its turn are served
 * together, as those who listen are; who asks once it is being read waits for the next reading, and so is told nothing
 * older than their question.
 */
export function createReplayRenderer({ services, prepare, admit }: ReplayRendererOptions): RenderReplay {
  const waiting = new Map<string, Batch>();

  function open(key: string, program: SubscriptionSpec, live: LiveEvent): Batch {
    const members: Subscriber[] = [];
    const texts = admit(async () => {
      // Whoever comes back in the same moment.
      await turn();
      waiting.delete(key);
      const editions = await prepare(program, live, { members, reading: createLazyEventView(services, live) });
      return new Map(editions.flatMap(({ text, recipients }) => recipients.map((reader) => [reader, text] as const)));
    });
    const batch = { members, texts };
    waiting.set(key, batch);
    return batch;
  }

  return async (program, live, member) => {
    const key = compositeKey(live.event.networkId, program.key, live.cursor);
    const { members, texts } = waiting.get(key) ?? open(key, program, live);
    members.push(member);
    const text = (await texts).get(member);
    return text === undefined ? [] : [{ text, recipients: [member] }];
  };
}
