import { Long } from 'bson';
import { eventOf } from '../../src/embedded/change-streams/event.ts';
import { streamReply } from '../../src/embedded/change-streams/reply.ts';
import { type ChangeEntry, keyOf } from '../../src/embedded/storage/change-log/change-log-entry.ts';
import { COLLECTION, DATABASE } from './through-driver.ts';

const NS = `${DATABASE}.${COLLECTION}`;
/** Id of a log, so that tokens are as long as those of the store. */
const LOG = Buffer.from([1, 2, 3, 4]);

interface EchoStream {
  events: Buffer[];
  reply: ((reply: Buffer) => void) | undefined;
}

/** Change streams without a log: an insert is sent to the open streams immediately, and nowhere else. */
export function createEchoStreams() {
  const streams = new Map<bigint, EchoStream>();
  let increment = 0;

  const batch = (field: 'firstBatch' | 'nextBatch', id: bigint, events: Buffer[]): Buffer =>
    streamReply({
      field,
      batch: { events, token: '82', isInvalidated: false, isAtEnd: true },
      id,
      ns: NS,
    });

  function send(id: bigint, stream: EchoStream): void {
    if (!stream.reply || stream.events.length === 0) return;
    const { reply, events } = stream;
    stream.reply = undefined;
    stream.events = [];
    reply(batch('nextBatch', id, events));
  }

  return {
    get size() {
      return streams.size;
    },
    open(): Buffer {
      const id = BigInt(streams.size + 1);
      streams.set(id, { events: [], reply: undefined });
      return batch('firstBatch', id, []);
    },
    wait(cursor: unknown, reply: (reply: Buffer) => void): void {
      const id = Long.isLong(cursor) ? cursor.toBigInt() : BigInt(Number(cursor));
      const stream = streams.get(id);
      if (!stream) return;
      stream.reply = reply;
      send(id, stream);
    },
    add(documents: readonly Buffer[]): void {
      for (const payload of documents) {
        const key = keyOf({ seconds: 1, increment: ++increment }, 0);
        const entry: ChangeEntry = {
          key,
          log: LOG,
          kind: 'insert',
          ns: NS,
          db: DATABASE,
          payload,
          wallTime: Date.now(),
          origin: undefined,
        };
        for (const stream of streams.values()) stream.events.push(eventOf(entry));
      }
      for (const [id, stream] of streams) send(id, stream);
    },
  };
}
