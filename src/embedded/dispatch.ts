import { type Document, Double } from 'bson';
import { type Command, type Connection, longOption, type Reply, type Request, unknownOption } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { sessionIdOf } from './commands/session.ts';
import type { Engine } from './engine.ts';
import { CommandError, notSupported } from './language/errors.ts';
import { isDocument, isNumber, toNumber } from './language/values.ts';
import { ENDS, resolveNumber } from './numbering.ts';
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
export async function dispatch(engine: Engine, connection: Connection, message: Message): Promise<Reply> {
  let transaction: Transaction | undefined;
  try {
    const { request, command } = prepare(engine, connection, message);
    transaction = request.transaction;
    const running = transaction ? inTurn(transaction, () => runStatement(request, command)) : command.run(request);
    const reply = running instanceof Promise ? await running : running;
    return reply instanceof Uint8Array ? reply : { ...reply, ok: new Double(1), operationTime: engine.changes.time };
  } catch (error) {
    // Within a transaction every error ends it, as in MongoDB.
    if (transaction) engine.transactions.abort(transaction);
    return errorReply(engine, error);
  }
}

/** The statements of a transaction run one after another, as one of them may pause for the commands of others. */
async function inTurn(transaction: Transaction, run: () => Reply | Promise<Reply>): Promise<Reply> {
  const before = transaction.turn;
  let end = (): void => undefined;
  transaction.turn = new Promise<void>((resolve) => {
    end = resolve;
  });
  try {
    await before;
    return await run();
  } finally {
    end();
  }
}

function runStatement(request: Request, command: Command): Reply | Promise<Reply> {
  const { transaction, name } = request;
  // The commands that end a transaction know what to say of one that has ended.
  if (transaction && !transaction.isOpen && !ENDS.has(name)) throw noSuchTransaction(transaction.number);
  return command.run(request);
}

export function errorReply(engine: Pick<Engine, 'settings'>, error: unknown): Document {
  if (error instanceof CommandError) {
    const { message, code, codeName, labels, details } = error;
    return { ...(labels && { errorLabels: labels }), ok: new Double(0), errmsg: message, code, codeName, ...details };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  engine.settings.warn(`unexpected error in the embedded store: ${text}`);
  return {
    ok: new Double(0),
    errmsg: error instanceof Error ? error.message : text,
    code: 8,
    codeName: 'UnknownError',
  };
}

function prepare(engine: Engine, connection: Connection, message: Message): { request: Request; command: Command } {
  const { body, sequences } = message;
  const name = Object.keys(body)[0] ?? '';
  const command = COMMANDS.get(name);
  if (!command) throw notSupported(`no such command: '${name}'`, 59);
  if (command.isAdminOnly && body.$db !== 'admin') {
    throw new CommandError(13, `${name} may only be run against the admin database.`);
  }
  for (const option of Object.keys(body)) {
    if (option !== name && !PLUMBING.has(option) && !command.options.includes(option)) {
      throw unknownOption(option, name);
    }
  }
  checkConcerns(body);
  const request: Request = {
    engine,
    connectionId: connection.id,
    connection,
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
  request.transaction = resolveNumber(request, command);
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
