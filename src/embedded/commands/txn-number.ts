import { CommandError } from '../lib/index.ts';
import { isCommitted, noSuchTransaction, snapshotTooOld, type Transaction } from '../storage/index.ts';
import { assertSameApi } from './api-version.ts';
import type { Command, Request } from './command.ts';

const invalid = (why: string): CommandError => new CommandError(72, why);

/**
 * Resolves the transaction number of a command and returns its transaction. Undefined without a number, for a retryable
 * write, and for a command that ends a transaction which is no longer open.
 *
 * @throws CommandError 225 for an outdated number, 251 for an unknown transaction, and others for invalid combinations
 */
export function resolveTransaction(request: Request, command: Command): Transaction | undefined {
  const { engine, body, name, sessionId, txnNumber } = request;
  if (txnNumber === undefined) {
    if ('autocommit' in body || 'startTransaction' in body) throw invalid("'autocommit' needs 'txnNumber'");
    return undefined;
  }
  if (sessionId === undefined) throw invalid('Transaction number requires a session ID to also be specified');
  if (!('autocommit' in body)) {
    if ('startTransaction' in body) throw invalid("'startTransaction' requires 'autocommit'");
    if (!command.isRetryable) throw new CommandError(50768, `txnNumber is not allowed: ${name} is no retryable write`);
    if (engine.transactions.find(sessionId)?.number === txnNumber) {
      throw new CommandError(217, 'Cannot retry a retryable write that has been converted into a transaction');
    }
    engine.transactions.advance(sessionId, txnNumber);
    return undefined;
  }
  if (body.autocommit !== false) throw invalid('Specifying autocommit=true is not allowed.');
  return transactionOf(request, command, { sessionId, txnNumber });
}

interface TransactionId {
  sessionId: string;
  txnNumber: bigint;
}

const NEVER_FIRST: ReadonlySet<string> = new Set(['getMore', 'killCursors']);
export const TRANSACTION_ENDINGS: ReadonlySet<string> = new Set(['commitTransaction', 'abortTransaction']);

function transactionOf(
  request: Request,
  command: Command,
  { sessionId, txnNumber }: TransactionId,
): Transaction | undefined {
  const { engine, db, name, body } = request;
  const isEnd = TRANSACTION_ENDINGS.has(name);
  if (!command.isAllowedInTransaction) {
    throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`);
  }
  if (body.startTransaction === true && NEVER_FIRST.has(name)) {
    throw new CommandError(263, `Cannot run ${name} as the first operation in a multi-document transaction.`);
  }
  if (typeof body[name] === 'string' && body[name].startsWith('system.')) {
    throw new CommandError(263, `Cannot run command against the '${db}.${body[name]}' collection in a transaction.`);
  }
  if (!isEnd && 'writeConcern' in body)
    throw invalid('writeConcern is not allowed within a multi-statement transaction');
  if (body.startTransaction === true) {
    const isFresh = engine.transactions.advance(sessionId, txnNumber);
    if (!isFresh || isCommitted(engine.storage, sessionId, txnNumber)) {
      throw new CommandError(117, `Transaction ${txnNumber} was started before`);
    }
    const { atClusterTime } = request.readConcern;
    if (atClusterTime?.lessThan(engine.changes.lastChange)) {
      throw snapshotTooOld(atClusterTime, ['TransientTransactionError']);
    }
    return engine.transactions.start(sessionId, txnNumber, request.api);
  }
  if ('readConcern' in body) throw invalid('Only the first command in a transaction may specify a readConcern');
  engine.transactions.assertCurrent(sessionId, txnNumber);
  const open = engine.transactions.find(sessionId);
  if (open?.number === txnNumber) {
    assertSameApi(name, request.api, open.api, "the transaction's first command");
    return open;
  }
  if (isEnd) return undefined;
  if (isCommitted(engine.storage, sessionId, txnNumber)) {
    throw new CommandError(256, `Transaction ${txnNumber} has been committed.`);
  }
  throw noSuchTransaction(txnNumber);
}
