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

/** Commands whose reply says that the write concern is not met also when they fail, as in MongoDB. */
const CONCERNED_IN_FAILURE: ReadonlySet<string> = new Set(['commitTransaction', 'abortTransaction', 'dropIndexes']);

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
    const carryOut = (): Reply | Promise<Reply> => runStatement(prepared.request, command);
    const running = transaction ? runInOrder(transaction, carryOut) : carryOut();
    const reply = running instanceof Promise ? await running : running;
    // A read that is not to show what could still be lost is answered when the disk has what it saw.
    const seen = command.isWrite ? changes.time : changes.clusterTime;
    if (request.readsDurable) await engine.queue.durable();
    const times = encodeTimes(changes.clusterTime, request.operationTime ?? seen);
    if (reply instanceof Uint8Array) return { reply, times };
    // What is aborted has nothing to acknowledge.
    const writeConcernError = request.name === 'abortTransaction' ? undefined : unmet;
    return { reply: { ...reply, ...(writeConcernError && { writeConcernError }), ok: new Double(1) }, times };
  } catch (error) {
    // Within a transaction every error ends it, as in MongoDB.
    if (request?.transaction) engine.transactions.abort(request.transaction);
    const { errorLabels, ...failure } = errorReply(
      engine,
      error instanceof DamagedRecordError ? describeDamage(engine, error) : error,
    );
    const times = timesOf(engine);
    if (request && unmet && CONCERNED_IN_FAILURE.has(request.name)) {
      // Nobody can say that such a transaction may be run again: its outcome may be known elsewhere.
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

/** The statements of a transaction run one after another, as one of them may pause for the commands of others. */
async function runInOrder(transaction: Transaction, run: () => Reply | Promise<Reply>): Promise<Reply> {
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
  const passedOn = parseClusterTime(body.$clusterTime);
  if (passedOn) engine.changes.advance(passedOn);
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

/** Refuses options that the command does not have, and values of a wrong type. */
function checkOptions(name: string, command: Command, body: Document): void {
  for (const option of Object.keys(body)) {
    if (option !== name && !PLUMBING.has(option) && !command.options.includes(option)) {
      throw unknownOption(option, name);
    }
  }
  checkOptionTypes(name, body);
}

/** The options of a command that is only explained are checked as if it ran. */
function checkExplained(inner: unknown): void {
  if (!isDocument(inner)) return;
  const name = Object.keys(inner)[0] ?? '';
  const command = COMMANDS.get(name);
  if (command) checkOptions(name, command, inner);
}

/** What these reads show can no longer be lost; a local one may show a commit just before it is on disk. */
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
/** Commands that MongoDB parses `maxTimeMS` for in another way, with other codes. */
const TYPED_MAX_TIME: ReadonlySet<string> = new Set(['aggregate', 'getMore']);

/** @throws CommandError 2, 14 or 51024 for what is no whole number of milliseconds */
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
