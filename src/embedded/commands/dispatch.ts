import { type Document, Double } from 'bson';
import type { Engine } from '../engine.ts';
import {
  badValue,
  CommandError,
  isDocument,
  isNumber,
  notSupported,
  takeSpentSteps,
  toNumber,
  typeMismatch,
  typeOf,
} from '../lib/index.ts';
import { DamagedRecordError, isDatabaseName, noSuchTransaction, type Transaction } from '../storage/index.ts';
import type { Answer, Connection, Message, MessageHandler, Reply } from '../wire/index.ts';
import { checkApiVersion } from './api-version.ts';
import { encodeTimes, parseClusterTime } from './cluster-time.ts';
import { type Command, longOption, type Request, unknownOption } from './command.ts';
import { checkOptionTypes } from './option-types.ts';
import { assertLevel, assertTransactionLevel, parseReadConcern, type ReadConcern } from './read-concern.ts';
import { COMMANDS } from './registry.ts';
import { isStreamed } from './server-commands.ts';
import { sessionIdOf } from './session-commands.ts';
import { resolveTransaction, TRANSACTION_ENDINGS } from './txn-number.ts';
import { writeConcernError } from './write-concern.ts';

/** Options of every command: addressing, sessions, and options that concern other server types. */
const COMMON_OPTIONS: ReadonlySet<string> = new Set([
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

/** Commands that, as in MongoDB, report an unsatisfied write concern even if they fail. */
const REPORTING_UNMET_CONCERN: ReadonlySet<string> = new Set(['commitTransaction', 'abortTransaction', 'dropIndexes']);

/** Connects the engine to the server that listens for messages. */
export const createMessageHandler = (engine: Engine): MessageHandler => ({
  handle: (connection, message) => dispatch(engine, connection, message),
  answerError: (error) => ({ reply: errorReply(engine, error), times: timesOf(engine) }),
  isStreamed,
  onClose: ({ id }) => engine.streams.killByConnection(id),
  warn: engine.settings.warn,
});

/** Executes one message. Never rejects: a failure is an answer too. */
async function dispatch(engine: Engine, connection: Connection, message: Message): Promise<Answer> {
  const { changes } = engine;
  let request: Request | undefined;
  let unmet: Document | undefined;
  try {
    takeSpentSteps();
    const prepared = prepare(engine, connection, message);
    const { command } = prepared;
    unmet = prepared.writeConcernError;
    request = prepared.request;
    const { transaction } = request;
    const execute = (): Reply | Promise<Reply> => runStatement(prepared.request, command);
    const running = transaction ? runInOrder(transaction, execute) : execute();
    const reply = running instanceof Promise ? await running : running;
    // A read that must return only durable data is answered once everything it saw is on disk.
    const seen = command.isWrite ? changes.time : changes.clusterTime;
    if (request.readsDurable) await engine.queue.durable();
    const times = encodeTimes(changes.clusterTime, request.operationTime ?? seen);
    if (reply instanceof Uint8Array) return { reply, times };
    // An aborted transaction has no writes to acknowledge.
    const writeConcernError = request.name === 'abortTransaction' ? undefined : unmet;
    return { reply: { ...reply, ...(writeConcernError && { writeConcernError }), ok: new Double(1) }, times };
  } catch (error) {
    // Every error aborts the transaction, as in MongoDB.
    if (request?.transaction) engine.transactions.abort(request.transaction);
    const { errorLabels, ...failure } = errorReply(
      engine,
      error instanceof DamagedRecordError ? describeDamage(engine, error) : error,
    );
    const times = timesOf(engine);
    if (request && unmet && REPORTING_UNMET_CONCERN.has(request.name)) {
      // Without the label for retries: the outcome of the transaction may already be known to the client.
      return { reply: { ...failure, writeConcernError: unmet }, times };
    }
    return { reply: { ...(errorLabels && { errorLabels }), ...failure }, times };
  }
}

const timesOf = ({ changes }: Pick<Engine, 'changes'>): Buffer => encodeTimes(changes.clusterTime, changes.clusterTime);

function describeDamage({ catalog }: Engine, { collectionId, recordId, message }: DamagedRecordError): CommandError {
  const ns = catalog.list().find(({ id }) => id === collectionId)?.ns ?? `collection ${collectionId}`;
  return new CommandError(
    96,
    `record ${recordId} of ${ns} is damaged: ${message}. Other records are served; run 'npm run store -- check' and restore a backup`,
  );
}

/** Runs the statements of a transaction one after another: each of them may pause, and another must not overtake it. */
async function runInOrder(transaction: Transaction, run: () => Reply | Promise<Reply>): Promise<Reply> {
  const previous = transaction.lastStatement;
  let end = (): void => undefined;
  transaction.lastStatement = new Promise<void>((resolve) => {
    end = resolve;
  });
  try {
    await previous;
    return await run();
  } finally {
    end();
  }
}

function runStatement(request: Request, command: Command): Reply | Promise<Reply> {
  const { transaction, name } = request;
  // The commands that end a transaction have their own errors for one that has ended.
  if (transaction && !transaction.isOpen && !TRANSACTION_ENDINGS.has(name)) throw noSuchTransaction(transaction.number);
  return command.run(request);
}

function errorReply(engine: Pick<Engine, 'settings'>, error: unknown): Document {
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

interface Prepared {
  request: Request;
  command: Command;
  writeConcernError: Document | undefined;
}

function prepare(engine: Engine, connection: Connection, message: Message): Prepared {
  const { body, sequences } = message;
  const name = Object.keys(body)[0] ?? '';
  const db = databaseOf(body);
  const command = COMMANDS.get(name);
  if (!command) throw notSupported(`no such command: '${name}'`, 59);
  const api = checkApiVersion(name, body);
  if (command.isAdminOnly && db !== 'admin') {
    throw new CommandError(13, `${name} may only be run against the admin database.`);
  }
  checkOptions(name, command, body);
  if (name === 'explain') checkExplained(body.explain);
  const maxTimeMs = maxTimeOf(name, body.maxTimeMS);
  const clientTime = parseClusterTime(body.$clusterTime);
  if (clientTime) engine.changes.advance(clientTime);
  const readConcern = readConcernOf(engine, command, body);
  if (body.writeConcern !== undefined && !command.isWrite && name !== 'aggregate') {
    throw new CommandError(72, 'Command does not support writeConcern');
  }
  const unmet = writeConcernError(body.writeConcern);
  const isInTransaction = 'autocommit' in body;
  const request: Request = {
    engine,
    connectionId: connection.id,
    connection,
    db,
    name,
    body,
    sequences,
    sessionId: sessionIdOf(body.lsid),
    txnNumber: body.txnNumber === undefined ? undefined : longOption(body.txnNumber, 'txnNumber'),
    transaction: undefined,
    readConcern,
    snapshot: undefined,
    readsDurable: !isInTransaction && DURABLE_LEVELS.has(readConcern.level),
    api,
    deadline: maxTimeMs ? Date.now() + maxTimeMs : undefined,
  };
  request.transaction = resolveTransaction(request, command);
  if (readConcern.level === 'snapshot' && !isInTransaction && name !== 'getMore') {
    request.snapshot = engine.snapshots.at(readConcern.atClusterTime);
  }
  return { request, command, writeConcernError: unmet };
}

/** Refuses unknown options and values of a wrong type. */
function checkOptions(name: string, command: Command, body: Document): void {
  for (const option of Object.keys(body)) {
    if (option !== name && !COMMON_OPTIONS.has(option) && !command.options.includes(option)) {
      throw unknownOption(option, name);
    }
  }
  checkOptionTypes(name, body);
}

/** Checks the options of an explained command as if it ran. */
function checkExplained(inner: unknown): void {
  if (!isDocument(inner)) return;
  const name = Object.keys(inner)[0] ?? '';
  const command = COMMANDS.get(name);
  if (command) checkOptions(name, command, inner);
}

/** Levels that return only durable data; a local read may return a commit shortly before it is on disk. */
const DURABLE_LEVELS: ReadonlySet<string | undefined> = new Set(['majority', 'linearizable', 'snapshot']);

function databaseOf({ $db: db }: Document): string {
  if (db === undefined) throw new CommandError(40571, 'OP_MSG requests require a $db argument');
  if (typeof db !== 'string') throw new CommandError(13111, `wrong type for field ($db) ${typeOf(db)} != string`);
  if (!isDatabaseName(db)) throw new CommandError(73, `Invalid database name: '${db}'`);
  return db;
}

function readConcernOf({ changes }: Engine, command: Command, body: Document): ReadConcern {
  const name = Object.keys(body)[0]!;
  const readConcern = parseReadConcern(body.readConcern);
  if (!('autocommit' in body)) assertLevel(name, command, readConcern);
  else if (body.startTransaction === true) assertTransactionLevel(name, command, readConcern);
  for (const option of ['afterClusterTime', 'atClusterTime'] as const) {
    const time = readConcern[option];
    if (time?.greaterThan(changes.clusterTime)) {
      throw new CommandError(72, `readConcern ${option} value must not be greater than the current clusterTime.`);
    }
  }
  return readConcern;
}

const MAX_INT = 0x7fff_ffff;
/** Commands for which MongoDB parses `maxTimeMS` differently, with other error codes. */
const TYPED_MAX_TIME: ReadonlySet<string> = new Set(['aggregate', 'getMore']);

/** @throws CommandError 2, 14 or 51024 for a value that is not an integer number of milliseconds */
function maxTimeOf(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (!isNumber(value)) {
    if (value === null || !TYPED_MAX_TIME.has(name)) throw badValue('maxTimeMS must be a number');
    throw typeMismatch(`BSON field '${name}.maxTimeMS' is the wrong type '${typeOf(value)}', expected a number`);
  }
  const ms = toNumber(value);
  if (!Number.isInteger(ms)) throw badValue('maxTimeMS has non-integral value');
  if (ms < 0 && name === 'aggregate') {
    throw new CommandError(51024, `BSON field 'maxTimeMS' value must be >= 0, actual value '${ms}'`);
  }
  if (ms < 0 || ms > MAX_INT) throw badValue(`${ms} value for maxTimeMS is out of range [0, ${MAX_INT}]`);
  return ms;
}
