import type { Document } from 'bson';
import { type Command, longOption, type Reply, type Request, unknownOption } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { sessionIdOf } from './commands/session.ts';
import type { Engine } from './engine.ts';
import { CommandError, notSupported } from './language/errors.ts';
import { isDocument, isNumber, toNumber } from './language/values.ts';
import { isCommitted } from './sessions.ts';
import { noSuchTransaction, type Transaction } from './transactions.ts';
import type { Message } from './wire.ts';

/** What any command may carry: addressing, sessions, and hints to servers of another kind. */
const PLUMBING: ReadonlySet<string> = new Set([
  '$db',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  '$clusterTime',
  '$readPreference',
]);

/** Carries out one message. Never throws: a failure is a reply too. */
export async function dispatch(engine: Engine, connectionId: number, message: Message): Promise<Reply> {
  let transaction: Transaction | undefined;
  try {
    const { request, command } = prepare(engine, connectionId, message);
    transaction = request.transaction;
    const running = command.run(request);
    return running instanceof Promise ? await running : running;
  } catch (error) {
    // Within a transaction every error ends it, as in MongoDB.
    if (transaction) engine.transactions.abort(transaction);
    return errorReply(engine, error);
  }
}

export function errorReply(engine: Pick<Engine, 'settings'>, error: unknown): Document {
  if (error instanceof CommandError) {
    const { message, code, codeName, labels, details } = error;
    return { ok: 0, errmsg: message, code, codeName, ...(labels && { errorLabels: labels }), ...details };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  engine.settings.warn(`unexpected error in the embedded store: ${text}`);
  return { ok: 0, errmsg: error instanceof Error ? error.message : text, code: 8, codeName: 'UnknownError' };
}

function prepare(engine: Engine, connectionId: number, message: Message): { request: Request; command: Command } {
  const { body, sequences } = message;
  const name = Object.keys(body)[0] ?? '';
  const command = COMMANDS.get(name);
  if (!command) throw notSupported(`no such command: '${name}'`, 59);
  for (const option of Object.keys(body)) {
    if (option !== name && !PLUMBING.has(option) && !command.options.includes(option)) {
      throw unknownOption(option, name);
    }
  }
  checkConcerns(body);
  const request: Request = {
    engine,
    connectionId,
    db: typeof body.$db === 'string' ? body.$db : 'test',
    name,
    body,
    sequences,
    sessionId: sessionIdOf(body.lsid),
    txnNumber: body.txnNumber === undefined ? undefined : longOption(body.txnNumber, 'txnNumber'),
    transaction: undefined,
    deadline:
      isNumber(body.maxTimeMS) && toNumber(body.maxTimeMS) > 0 ? Date.now() + toNumber(body.maxTimeMS) : undefined,
  };
  if (body.autocommit === false) request.transaction = transactionOf(request, command);
  return { request, command };
}

/** One member holds all data, so every concern it can honour is honoured anyway; the others are refused. */
function checkConcerns({ readConcern, writeConcern }: Document): void {
  if (isDocument(readConcern) && 'atClusterTime' in readConcern) throw notSupported('readConcern.atClusterTime');
  if (!isDocument(writeConcern) || !('w' in writeConcern)) return;
  const { w } = writeConcern;
  if (typeof w === 'string' && w !== 'majority') throw new CommandError(79, `No write concern mode named '${w}' found`);
  if (isNumber(w) && toNumber(w) > 1) {
    throw new CommandError(100, 'Not enough data-bearing nodes: the embedded store is a single one');
  }
}

/** The transaction a command belongs to, started if the command says so; undefined once it has committed. */
function transactionOf(
  { engine, sessionId, txnNumber, name, body }: Request,
  command: Command,
): Transaction | undefined {
  if (sessionId === undefined || txnNumber === undefined) {
    throw new CommandError(72, 'a transaction needs lsid and txnNumber');
  }
  if (!command.isAllowedInTransaction) {
    throw new CommandError(263, `Cannot run '${name}' in a multi-document transaction.`);
  }
  const open = engine.transactions.of(sessionId);
  if (body.startTransaction === true) {
    if (open && open.number >= txnNumber) {
      throw new CommandError(117, `Only one transaction at a time: ${open.number} is in progress`);
    }
    if (open) engine.transactions.abort(open);
    if (isCommitted(engine.storage, sessionId, txnNumber)) {
      throw new CommandError(256, `Transaction ${txnNumber} has been committed.`);
    }
    return engine.transactions.start(sessionId, txnNumber);
  }
  if (open?.number === txnNumber) return open;
  if (name === 'commitTransaction' || name === 'abortTransaction') return undefined;
  if (isCommitted(engine.storage, sessionId, txnNumber)) {
    throw new CommandError(256, `Transaction ${txnNumber} has been committed.`);
  }
  throw noSuchTransaction(txnNumber);
}
