import { randomUUID } from 'node:crypto';
import { type Document, Int32, Long, UUID } from 'bson';
import { connectRaw, type RawClient } from '../raw-client.ts';
import { answerOf } from './answer.ts';
import { COLLECTIONS, type Script, type Step } from './script.ts';

/** A server under comparison. */
export interface ServerUnderTest {
  uri: string;
  /** Whether it is the embedded store; only it runs the steps that must be rejected. */
  isEmbedded: boolean;
}

/** Commands that take a write concern: without one, a replica set flushes its journal for each. */
const WRITES = new Set(
  'insert update delete findAndModify create createIndexes drop dropIndexes dropDatabase'.split(' '),
);
const CONCERN = { writeConcern: { w: new Int32(1), j: false } };
/** A statement that waits longer would wait for ever. */
const STATEMENT_TIMEOUT_MS = 240_000;

/** Errors of a server that is shutting down or has just restarted. */
const NOT_SERVING = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** A server stopped during a script. */
export class ServerEnded extends Error {}

let runners = 0;

/**
 * Runs the steps of scripts on one server, each script with empty collections. Replies are canonical text, undefined
 * for a step that was skipped.
 */
export function openRunner({ uri, isEmbedded }: ServerUnderTest): {
  run(script: Script): Promise<(string | undefined)[]>;
  /** Drops the collections of the scripts. */
  close(): Promise<void>;
} {
  let client: RawClient | undefined;
  let own = `differential_${process.pid}_${runners++}`;
  let fresh = 0;
  let mayHaveIndexes = true;
  const send = async (target: string, command: Document): Promise<Document> => {
    client ??= connectRaw(uri);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Document>((resolve) => {
      timer = setTimeout(() => resolve({ isLate: true }), STATEMENT_TIMEOUT_MS);
    });
    const reply = await Promise.race([client.command(target, command), late]);
    clearTimeout(timer);
    if (reply.isLate || reply.isClosed) {
      client.close();
      client = undefined;
    }
    return reply;
  };

  async function empty(db: string): Promise<void> {
    for (const name of COLLECTIONS) {
      await send(db, { create: name, ...CONCERN });
      await send(db, { delete: name, deletes: [{ q: {}, limit: new Int32(0) }], ...CONCERN });
      if (mayHaveIndexes) await send(db, { dropIndexes: name, index: '*', ...CONCERN });
    }
  }

  return {
    async run({ seed, steps, isFresh }) {
      // A database that is being dropped cannot be created again immediately.
      const db = isFresh ? `${own}_${fresh++}` : own;
      if (!isFresh) await empty(db);
      const sessions = new Map<number, Document>();
      const cursors = new Map<string, Long>();
      const answers: (string | undefined)[] = [];
      for (const step of steps) {
        const command = commandOf(step, { sessions, cursors });
        if (!command || (step.refuses && !isEmbedded)) {
          answers.push(undefined);
          continue;
        }
        const reply = await send(step.role === 'ends' ? 'admin' : db, command);
        if (reply.isClosed || NOT_SERVING.has(Number(reply.code))) {
          // After a crash, a server's document counts may be wrong.
          own = `differential_${process.pid}_${runners++}`;
          throw new ServerEnded(`${uri} does not serve any more at a ${Object.keys(command)[0]} of ${seed}`);
        }
        if (step.opens && Long.isLong(reply.cursor?.id)) cursors.set(step.opens, reply.cursor.id);
        answers.push(answerOf(step, reply));
        if (step.endsIfFailed && (reply.code !== undefined || reply.writeErrors)) break;
      }
      for (const [session, lsid] of sessions) await send('admin', abortOf(steps, session, lsid));
      const builds = steps.some(({ command }) => 'createIndexes' in command);
      if (isFresh) await send(db, { dropDatabase: 1, ...CONCERN });
      else mayHaveIndexes = builds;
      return answers;
    },
    async close() {
      await send(own, { dropDatabase: 1, ...CONCERN });
      client?.close();
    },
  };
}

interface Places {
  sessions: Map<number, Document>;
  cursors: ReadonlyMap<string, Long>;
}

function commandOf(step: Step, { sessions, cursors }: Places): Document | undefined {
  const { role, session, number } = step;
  const [name = ''] = Object.keys(step.command);
  const command = { ...step.command };
  if (step.cursor) {
    const cursor = cursors.get(step.cursor);
    if (!cursor || cursor.isZero()) return undefined;
    if (name === 'getMore') command.getMore = cursor;
    else command.cursors = [cursor];
  }
  if (session === undefined || number === undefined) return WRITES.has(name) ? { ...command, ...CONCERN } : command;
  const lsid = sessions.get(session) ?? { id: new UUID(randomUUID()) };
  sessions.set(session, lsid);
  const numbered = { ...command, lsid, txnNumber: Long.fromNumber(number) };
  if (!role) return { ...numbered, ...CONCERN };
  return { ...numbered, autocommit: false, ...(role === 'starts' && { startTransaction: true }) };
}

/** Ends the transactions and cursors that a script leaves open after an error or by shrinking. */
const abortOf = (steps: readonly Step[], session: number, lsid: Document): Document => ({
  abortTransaction: 1,
  lsid,
  txnNumber: Long.fromNumber(
    Math.max(...steps.filter((step) => step.session === session).map(({ number }) => number ?? 0)),
  ),
  autocommit: false,
});
