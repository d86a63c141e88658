import type { Document } from 'bson';
import { CommandError, isDocument } from '../lib/index.ts';
import { isCommitted, noSuchTransaction, recordCommit } from '../storage/index.ts';
import { arrayOption, type Command, type Request } from './command.ts';

/** The id of a logical session as 32 hexadecimal digits. */
export function sessionIdOf(lsid: unknown): string | undefined {
  if (!isDocument(lsid)) return undefined;
  const bytes: unknown = lsid.id?.buffer;
  if (!(bytes instanceof Uint8Array) || bytes.length !== 16) throw new CommandError(14, 'lsid.id must be a UUID');
  return Buffer.from(bytes).toString('hex');
}

export const commitTransaction: Command = {
  isWrite: true,
  options: ['recoveryToken'],
  isAllowedInTransaction: true,
  isAdminOnly: true,
  async run({ engine, sessionId, txnNumber, transaction }) {
    const { id, number } = requireTransactionNumber(sessionId, txnNumber);
    try {
      if (!transaction) throw noSuchTransaction(number);
      await engine.transactions.commit(transaction, () => recordCommit(engine.storage, id, number));
    } catch (error) {
      if (!isCommitted(engine.storage, id, number)) throw error;
      // This commit repeats an earlier one, which may still be running: acknowledge it once that one is on disk.
      await engine.queue.run(() => undefined);
    }
    return {};
  },
};

export const abortTransaction: Command = {
  isWrite: true,
  options: ['recoveryToken'],
  isAllowedInTransaction: true,
  isAdminOnly: true,
  run({ engine, sessionId, txnNumber, transaction }) {
    const { id, number } = requireTransactionNumber(sessionId, txnNumber);
    if (transaction?.isOpen) engine.transactions.abort(transaction);
    else if (isCommitted(engine.storage, id, number)) {
      throw new CommandError(256, `Transaction ${number} has been committed.`);
    } else throw noSuchTransaction(number);
    return {};
  },
};

function requireTransactionNumber(
  sessionId: string | undefined,
  txnNumber: bigint | undefined,
): { id: string; number: bigint } {
  if (sessionId === undefined || txnNumber === undefined) {
    throw new CommandError(72, 'a transaction command needs lsid, txnNumber and autocommit: false');
  }
  return { id: sessionId, number: txnNumber };
}

/**
 * Closes the cursors of sessions and, only if the sessions are killed, aborts their transactions. As in MongoDB, the
 * transaction of an ended session can still be committed. The results stored for retries expire by themselves.
 */
function closeSessions({ engine, body, name }: Request): Document {
  for (const lsid of arrayOption(body, name)) {
    const id = sessionIdOf(lsid);
    if (id === undefined) continue;
    const transaction = engine.transactions.find(id);
    if (transaction && name === 'killSessions') engine.transactions.abort(transaction);
    engine.cursors.killBySession(id);
    engine.streams.killBySession(id);
  }
  return {};
}

export const endSessions: Command = { options: [], run: closeSessions };
export const killSessions: Command = { options: [], run: closeSessions };
export const refreshSessions: Command = { options: [], run: () => ({}) };
