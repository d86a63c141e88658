import { setImmediate as turn } from 'node:timers/promises';
import type { Services } from '../context.ts';
import type { LiveEvent } from '../events/log.ts';
import { compositeKey } from '../lib/composite-key.ts';
import type { Member, PrepareEditions } from './editions.ts';
import type { Edition } from './lane.ts';
import type { Program } from './program.ts';
import { createReading } from './reading.ts';

export interface ReplaysOptions {
  services: Services;
  prepare: PrepareEditions;
  /** Bounds what is prepared at once in the process. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What an event looks like to one of those who missed it; nothing when they do not see it. */
export type PrepareReplay = (program: Program, live: LiveEvent, member: Member) => Promise<Array<Edition<Member>>>;

interface Batch {
  members: Member[];
  texts: Promise<ReadonlyMap<Member, Edition<Member>['text']>>;
}

/**
 * After a restart thousands come back to the same events. Those who ask for one while it waits for its turn are served
 * together, as those who listen are; who asks once it is being read waits for the next reading, and so is told nothing
 * older than their question.
 */
export function createReplays({ services, prepare, admit }: ReplaysOptions): PrepareReplay {
  const waiting = new Map<string, Batch>();

  function open(key: string, program: Program, live: LiveEvent): Batch {
    const members: Member[] = [];
    const texts = admit(async () => {
      // Whoever comes back in the same moment.
      await turn();
      waiting.delete(key);
      const editions = await prepare(program, live, { members, reading: createReading(services, live) });
      return new Map(editions.flatMap(({ text, readers }) => readers.map((reader) => [reader, text] as const)));
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
    return text === undefined ? [] : [{ text, readers: [member] }];
  };
}
