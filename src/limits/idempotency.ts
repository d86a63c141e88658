import { createHash } from 'node:crypto';
import { type ClientSession, MongoServerError, ObjectId } from 'mongodb';
import type { Context, Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';
import { createLoaders } from '../store/loaders.ts';
import type { Json } from '../store/records/base.ts';
import type { KeyedWriteRecord } from '../store/records/write.ts';
import type { RunTransaction } from '../store/transaction.ts';

/** How long the same key means the same write. */
const REMEMBERED_MS = 24 * 3_600_000;
const MAX_KEY = 255;

export interface KeyedWrite {
  operation: string;
  input: object;
  /** Nothing: the write is made each time it is sent. */
  key: string | null | undefined;
}

/**
 * Makes a write once, however often its client sends it within 24 hours: the first answer is kept in the transaction
 * of the write itself, and given again to whoever sends the same operation with the same input under the same key.
 * Failures are not kept: nothing was changed, so sending it again tries again. Keys belong to one user each.
 *
 * @param write.run the write; all its transactions become one
 * @param write.authorize throws when the viewer may no longer see a stored answer
 * @throws {OperationError} INVALID_PARAMETERS for a key of more than 255 characters, CONFLICT for one that stood for
 *   another write
 */
export async function once<Answer extends object>(
  context: Context,
  { operation, input, key }: KeyedWrite,
  { run, authorize }: { run: Run<Answer>; authorize(answer: Answer): Promise<void> },
): Promise<Answer> {
  const { viewer } = context;
  const replay = async (write: Write, known: KeyedWriteRecord) => {
    const answer = replayed<Answer>(context, write, known);
    await authorize(answer);
    return answer;
  };
  if (!viewer || !key) return run(context);
  if (key.length > MAX_KEY || !key.isWellFormed()) throw badKey();
  const write = { viewer, key, fingerprint: fingerprintOf(operation, input) };
  const known = await find(context, write);
  if (known) return replay(write, known);
  const made = await attempt(context, write, run);
  if ('known' in made) return replay(write, made.known);
  for (const work of made.afterwards) await work();
  return made.answer;
}

/** @returns what was made; the write that somebody else made under this key meanwhile, sent twice at once */
async function attempt<Answer extends object>(
  context: Context,
  write: Write,
  run: Run<Answer>,
): Promise<Made<Answer> | { known: KeyedWriteRecord }> {
  const { viewer, key } = write;
  try {
    return await context.transaction((session) => make(context, session, write, run), {
      key: `write ${viewer.networkId} ${viewer.userId} ${key}`,
    });
  } catch (error) {
    // What the attempt had read or changed is not so.
    context.load = createLoaders(context.store.batchers, viewer.networkId, context.reads);
    // The other one perhaps left nothing to do.
    const known = error instanceof OperationError || isTaken(error) ? await find(context, write) : null;
    if (!known) throw error;
    return { known };
  }
}

type Run<Answer> = (context: Context) => Answer | Promise<Answer>;

interface Write {
  viewer: Viewer;
  key: string;
  fingerprint: string;
}

function isTaken(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

function find({ store }: Context, { viewer: { networkId, userId }, key }: Write): Promise<KeyedWriteRecord | null> {
  return store.collections.keyedWrites.findOne({ networkId, userId, key });
}

function replayed<Answer extends object>(context: Context, write: Write, known: KeyedWriteRecord): Answer {
  if (known.fingerprint !== write.fingerprint) {
    throw new OperationError('CONFLICT', { message: 'This key stood for another write within the last 24 hours.' });
  }
  context.isReplay = true;
  return known.answer as Answer;
}

interface Made<Answer> {
  answer: Answer;
  /** What waits for the commit. */
  afterwards: Array<() => Promise<void> | void>;
}

async function make<Answer extends object>(
  context: Context,
  session: ClientSession,
  { viewer, key, fingerprint }: Write,
  run: Run<Answer>,
): Promise<Made<Answer>> {
  const { networkId, userId } = viewer;
  const afterwards: Made<Answer>['afterwards'] = [];
  // The work may start anew after a conflict, and must not see then what it had read before.
  context.load = createLoaders(context.store.batchers, networkId, context.reads);
  const turns = holdTurns(context);
  session.once('ended', turns.release);
  const answer = await run({
    ...context,
    transaction: joining(session, turns.take),
    afterCommit: async (work) => void afterwards.push(work),
  });
  const now = context.now();
  const record: KeyedWriteRecord = {
    _id: new ObjectId(),
    networkId,
    userId,
    key,
    fingerprint,
    answer: answer as Json,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + REMEMBERED_MS),
  };
  await context.store.collections.keyedWrites.insertOne(record, { session });
  return { answer, afterwards };
}

/** Runs the work in the transaction that is open already. */
function joining(session: ClientSession, take: (key: string) => Promise<void>): RunTransaction {
  return async (work, { key } = {}) => {
    if (key !== undefined) await take(key);
    return work(session);
  };
}

/** Turns that are kept until the transaction ends. Only the first one is taken: two could wait for each other. */
function holdTurns({ store, deadline }: Context) {
  let release = (): void => undefined;
  let isTaken = false;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release,
    take(key: string): Promise<void> {
      if (isTaken) return Promise.resolve();
      isTaken = true;
      return new Promise((resolve, reject) => {
        store
          .takeTurn(key, deadline, () => {
            resolve();
            return until;
          })
          .catch(reject);
      });
    },
  };
}

function fingerprintOf(operation: string, input: object): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, input]))
    .digest('base64url');
}

function badKey(): OperationError {
  return new OperationError('INVALID_PARAMETERS', {
    detail: [`clientMutationId or Idempotency-Key: at most ${MAX_KEY} characters of well-formed text`],
    path: ['clientMutationId'],
  });
}
