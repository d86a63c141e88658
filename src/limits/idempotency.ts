import { createHash } from 'node:crypto';
import { type ClientSession, MongoServerError, ObjectId } from 'mongodb';
import type { Context, Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';
import { readAllDeferred } from '../lib/deferred.ts';
import type { LockKey } from '../store/key-lock.ts';
import { createLoaders } from '../store/loaders.ts';
import type { Json } from '../store/records/base.ts';
import type { IdempotencyRecord } from '../store/records/idempotency.ts';
import type { RunTransaction } from '../store/transaction.ts';

/** How long a key and its answer are stored. */
const STORED_MS = 24 * 3_600_000;
const MAX_KEY = 255;

export interface IdempotentWrite {
  operation: string;
  input: object;
  /** Without a key, the write is executed each time it is sent. */
  key: string | null | undefined;
}

/**
 * Executes a write once, even if its client sends it repeatedly within 24 hours. The answer is stored in the transaction
 * of the write, and returned for the same operation and input with the same key. Failures are not stored, since they
 * change nothing: a repetition executes the write. Keys are scoped to one user.
 *
 * @param write.run the write; all its transactions become one
 * @param write.authorize throws when the viewer may no longer see a stored answer
 * @throws {OperationError} INVALID_PARAMETERS for a key of more than 255 characters, CONFLICT for a key that was used for
 *   another write
 */
export async function runIdempotent<Answer extends object>(
  context: Context,
  { operation, input, key }: IdempotentWrite,
  { run, authorize }: { run: Run<Answer>; authorize(answer: Answer): Promise<void> },
): Promise<Answer> {
  const { viewer } = context;
  const replay = async (write: Write, known: IdempotencyRecord) => {
    const answer = replayed<Answer>(context, write, known);
    await authorize(answer);
    return answer;
  };
  if (!viewer || !key) return run(context);
  if (key.length > MAX_KEY || !key.isWellFormed()) throw badKey();
  const write = { viewer, key, fingerprint: fingerprintOf(operation, input) };
  const known = await find(context, write);
  if (known) return replay(write, known);
  const executed = await attempt(context, write, run);
  if ('known' in executed) return replay(write, executed.known);
  for (const work of executed.afterCommit) await work();
  return executed.answer;
}

/** @returns the executed write, or the stored one when a concurrent request with this key was first */
async function attempt<Answer extends object>(
  context: Context,
  write: Write,
  run: Run<Answer>,
): Promise<Executed<Answer> | { known: IdempotencyRecord }> {
  const { viewer, key } = write;
  try {
    return await context.transaction((session) => execute(context, session, write, run), {
      key: `write ${viewer.networkId} ${viewer.userId} ${key}`,
    });
  } catch (error) {
    // Discards the records that the failed attempt read or changed.
    context.load = createLoaders(context.store.batchers, viewer.networkId, context.reads, null, context.now);
    // The attempt may have failed because a concurrent request with this key succeeded.
    const known = error instanceof OperationError || isDuplicateKey(error) ? await find(context, write) : null;
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

function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}

function find({ store }: Context, { viewer: { networkId, userId }, key }: Write): Promise<IdempotencyRecord | null> {
  return store.collections.keyedWrites.findOne({ networkId, userId, key });
}

function replayed<Answer extends object>(context: Context, write: Write, known: IdempotencyRecord): Answer {
  if (known.fingerprint !== write.fingerprint) {
    throw new OperationError('CONFLICT', {
      message: 'This key was used for another request within the last 24 hours.',
    });
  }
  context.isReplay = true;
  return known.answer as Answer;
}

interface Executed<Answer> {
  answer: Answer;
  /** Side effects that run after the commit. */
  afterCommit: Array<() => Promise<void> | void>;
}

async function execute<Answer extends object>(
  context: Context,
  session: ClientSession,
  { viewer, key, fingerprint }: Write,
  run: Run<Answer>,
): Promise<Executed<Answer>> {
  const { networkId, userId } = viewer;
  const afterCommit: Executed<Answer>['afterCommit'] = [];
  // After a conflict the work is retried, and must not use records that were loaded before.
  context.load = createLoaders(context.store.batchers, networkId, context.reads, null, context.now);
  const keyLock = holdKeyLock(context);
  session.once('ended', keyLock.release);
  const answer = await readAllDeferred(
    await run({
      ...context,
      transaction: joining(session, keyLock.acquire),
      afterCommit: async (work) => void afterCommit.push(work),
    }),
  );
  const now = context.now();
  const record: IdempotencyRecord = {
    _id: new ObjectId(),
    networkId,
    userId,
    key,
    fingerprint,
    answer: answer as Json,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + STORED_MS),
  };
  await context.store.collections.keyedWrites.insertOne(record, { session });
  return { answer, afterCommit };
}

/** Runs nested transactions in the open one. */
function joining(session: ClientSession, acquire: (key: LockKey) => Promise<void>): RunTransaction {
  return async (work, { key } = {}) => {
    if (key !== undefined) await acquire(key);
    return work(session);
  };
}

/** Holds the locks of a transaction until it ends: only those of the first nested one, since further ones could deadlock. */
function holdKeyLock({ store, deadline }: Context) {
  let release = (): void => undefined;
  let isHeld = false;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release,
    acquire(key: LockKey): Promise<void> {
      if (isHeld) return Promise.resolve();
      isHeld = true;
      return new Promise((resolve, reject) => {
        store
          .withKeyLock(key, deadline, () => {
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
    detail: [`idempotencyKey or Idempotency-Key: at most ${MAX_KEY} characters of well-formed text`],
    path: ['idempotencyKey'],
  });
}
