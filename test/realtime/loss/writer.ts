import type { NewEvent } from '../../../src/events/append-events.ts';
import { emit } from '../../support/emit.ts';
import type { TestGateway } from '../../support/gateway.ts';

export interface Writer {
  /** Events written so far, by topic. */
  written: Map<string, number>;
  stop(): Promise<void>;
}

/** A post that every user sees, and one that only members of a private community see. */
const [OPEN, PRIVATE] = ['seedlings', 'grafting'];
/** Share of the events by topic; the last topic is private. */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['a', 0.3],
  ['b', 0.3],
  ['slow', 0.01],
  ['private', 0.39],
]);

/** Writes events, numbered by topic: one to five in a transaction, with one concurrent writer for each topic. */
export function startWriter(gateway: TestGateway, perSecond: number): Writer {
  const written = new Map([...SHARES.keys()].map((topic) => [topic, 0]));
  let isStopped = false;

  async function write(topic: string, share: number): Promise<void> {
    const startedAt = performance.now();
    while (!isStopped) {
      const first = written.get(topic)!;
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond * share) - first;
      if (due > 0) {
        const count = Math.min(due, 1 + Math.floor(Math.random() * 5));
        const postId = topic === 'private' ? PRIVATE : OPEN;
        await emit(
          gateway,
          Array.from({ length: count }, (_, n): NewEvent => {
            return { type: 'post.updated', path: `default/loss/${topic}/${first + n}`, data: { postId: postId! } };
          }),
        );
        written.set(topic, first + count);
      }
      await new Promise((later) => setTimeout(later, due > 5 ? 0 : 20));
    }
  }

  const writers = [...SHARES].map(([topic, share]) => write(topic, share));
  return {
    written,
    async stop() {
      isStopped = true;
      await Promise.all(writers);
    },
  };
}
