import { BSON, type Document, Long } from 'bson';
import type { Engine } from '../engine.ts';
import { CommandError, DECODE, toNumber } from '../lib/index.ts';
import { verifiedValue, withChecksum } from './checksum.ts';
import type { Storage } from './storage.ts';

/** Sessions without a write for this long are removed, as announced in the handshake. */
export const SESSION_TIMEOUT_MINUTES = 30;

/**
 * The results of a session's last retryable write, stored in the commit of the write itself: a retry, even after a
 * crash, changes nothing and gets the same reply.
 */
export interface StatementHistory {
  /**
   * The result of a statement that was already executed.
   *
   * @throws CommandError 217 if the results were too large to store, as MongoDB does when its history is incomplete
   */
  recall(statementId: number): Document | undefined;
  remember(statementId: number, result: Document): void;
  /** Inside a commit. */
  save(): void;
}

interface SessionRecord {
  number: bigint;
  isCommitted: boolean;
  /** Results that are not a single inserted or changed document. */
  results: Map<number, Document>;
  /** Statements that inserted one document each. */
  inserts: Range[];
  /** Statements that changed one document each. Each step of a command stores all results so far. */
  updates: Range[];
  /** Whether the results were too large to store. */
  isIncomplete: boolean;
}

/** Consecutive statements with equal results. */
type Range = [first: number, count: number];

const newRecord = (number: bigint): SessionRecord => ({
  number,
  isCommitted: false,
  results: new Map(),
  inserts: [],
  updates: [],
  isIncomplete: false,
});

const INSERTED: Document = { n: 1 };
const UPDATED: Document = { n: 1, nModified: 1 };

export const transactionTooOld = (number: bigint, used: bigint): CommandError =>
  new CommandError(225, `Cannot use transaction number ${number}, the session has already used ${used}`);

/** @throws CommandError 225 when the session has already used a higher number */
export function openStatementHistory(storage: Storage, sessionId: string, number: bigint): StatementHistory {
  const record = readFor(storage, sessionId, number);
  let isChanged = false;
  return {
    recall(statementId) {
      const isIn = (ranges: readonly Range[]) =>
        ranges.some(([first, count]) => statementId >= first && statementId < first + count);
      const known = isIn(record.inserts) ? INSERTED : isIn(record.updates) ? UPDATED : record.results.get(statementId);
      if (!known && record.isIncomplete) {
        throw new CommandError(
          217,
          `Incomplete history detected for transaction ${number}: its results were too large`,
        );
      }
      return known;
    },
    remember(statementId, result) {
      isChanged = true;
      const ranges = rangesFor(record, result);
      const last = ranges?.at(-1);
      if (!ranges) record.results.set(statementId, result);
      else if (last && last[0] + last[1] === statementId) last[1]++;
      else ranges.push([statementId, 1]);
    },
    save() {
      if (isChanged) write(storage, sessionId, record);
    },
  };
}

/** The ranges that contain statements with this result; null if it is stored itself. */
function rangesFor({ inserts, updates }: SessionRecord, result: Document): Range[] | null {
  if (result.n !== 1) return null;
  const others = Object.keys(result).length - 1;
  if (others === 0) return inserts;
  return others === 1 && result.nModified === 1 ? updates : null;
}

/** Inside a commit: records that the transaction has committed. */
export function recordCommit(storage: Storage, sessionId: string, number: bigint): void {
  write(storage, sessionId, { ...newRecord(number), isCommitted: true });
}

/** @throws CommandError 225 when the session has already used a higher number */
export function isCommitted(storage: Storage, sessionId: string, number: bigint): boolean {
  return readFor(storage, sessionId, number).isCommitted;
}

/** Sessions examined in one step. */
const STEP = 100;

/** Inside a commit: removes expired sessions until the time slice is over; returns whether none is left. */
export function removeOldSessions(
  { storage: { sessions }, settings }: Pick<Engine, 'storage' | 'settings'>,
  now: number,
): (isOver: () => boolean) => boolean {
  let start = Buffer.from([0]);
  return (isOver) => {
    while (true) {
      const rows = [...sessions.getRange({ start, exclusiveStart: true, limit: STEP })];
      for (const { key, value } of rows) {
        start = key as Buffer<ArrayBuffer>;
        const bytes = verifiedValue(key, value, false);
        if (!bytes) settings.warn(`expiry skips a session: ${damagedSession(key).message}`);
        else if (now - BSON.deserialize(bytes).at.getTime() > SESSION_TIMEOUT_MINUTES * 60_000)
          sessions.removeSync(key);
      }
      if (rows.length < STEP) return true;
      if (isOver()) return false;
    }
  };
}

/** @throws CommandError 96 if the record is damaged */
export function verifiedSession(key: Buffer, bytes: Buffer): Buffer {
  const session = verifiedValue(key, bytes, false);
  if (session) return session;
  throw damagedSession(key);
}

const damagedSession = (key: Buffer): CommandError =>
  new CommandError(96, `the record of session ${key.toString('hex')} is damaged: its checksum does not match`);

function readFor(storage: Storage, sessionId: string, number: bigint): SessionRecord {
  const key = Buffer.from(sessionId, 'hex');
  const bytes = storage.sessions.get(key);
  const stored = bytes && BSON.deserialize(verifiedSession(key, bytes), DECODE);
  const storedNumber: bigint = stored ? stored.number.toBigInt() : -1n;
  if (storedNumber > number) throw transactionTooOld(number, storedNumber);
  if (!stored || storedNumber < number) return newRecord(number);
  return {
    number,
    isCommitted: stored.isCommitted,
    results: new Map(stored.results.map(([id, result]: [unknown, Document]) => [toNumber(id), result])),
    inserts: rangesOf(stored.inserts),
    // Earlier versions store none.
    updates: rangesOf(stored.updates ?? []),
    isIncomplete: stored.isIncomplete === true,
  };
}

const rangesOf = (stored: unknown[][]): Range[] => stored.map(([first, count]) => [toNumber(first), toNumber(count)]);

function write(storage: Storage, sessionId: string, record: SessionRecord): void {
  const key = Buffer.from(sessionId, 'hex');
  storage.putSession(key, withChecksum(key, encodeRecord(record)));
}

/**
 * Must not fail, because the write has been executed. If the results are too large to store, a retry is refused instead
 * of being executed again.
 */
function encodeRecord(record: SessionRecord): Buffer {
  const { number, isCommitted, results, inserts, updates, isIncomplete } = record;
  try {
    return BSON.serialize({
      number: Long.fromBigInt(number),
      isCommitted,
      results: [...results],
      inserts,
      updates,
      at: new Date(),
      ...(isIncomplete && { isIncomplete }),
    }) as Buffer;
  } catch (error) {
    // Exceeds the serializer's buffer of slightly more than 16 MiB.
    if (!(error instanceof RangeError) || isIncomplete) throw error;
    return encodeRecord({ ...newRecord(number), isCommitted, isIncomplete: true });
  }
}
