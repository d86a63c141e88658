import { setTimeout as delay } from 'node:timers/promises';
import { type Document, Long, ObjectId } from 'bson';
import type { Engine } from '../engine.ts';
import { CommandError, isDocument, typeMismatch } from '../lib/index.ts';
import { SESSION_TIMEOUT_MINUTES } from '../storage/index.ts';
import { MAX_DOCUMENT_SIZE, MAX_MESSAGE_SIZE, type Message, type Reply } from '../wire/index.ts';
import { type Command, countOption, documentOption, type Request } from './command.ts';

/** The emulated MongoDB version and its wire version. */
const VERSION = '7.0.0';
const WIRE_VERSION = 21;
const SET_NAME = 'colloquy';
/** The maximum wait of an awaitable `hello`; drivers request 10 seconds. */
const MAX_AWAIT_MS = 60_000;

/**
 * The handshake of a replica set with one member; with a standalone server drivers disable retryable writes. With
 * `topologyVersion` a driver monitors the server by a streamed `hello` and notices immediately when it ends. A driver
 * that polls may write to a socket that has just closed, and the Node.js driver then waits forever.
 */
export const hello: Command = {
  options: [
    'helloOk',
    'client',
    'compression',
    'loadBalanced',
    'topologyVersion',
    'maxAwaitTimeMS',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'backpressure',
    'hostInfo',
  ],
  run(request) {
    const wait = awaitTime(request);
    if (wait === undefined) return describe(request);
    const { closed } = request.connection;
    return delay(wait, undefined, { ref: false, signal: closed })
      .catch(() => undefined)
      .then(() => describe(request));
  },
};

const describe = ({ engine, connectionId }: Request): Document => ({
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  topologyVersion: topologyVersionOf(engine),
  setName: SET_NAME,
  setVersion: 1,
  hosts: [engine.settings.address],
  primary: engine.settings.address,
  me: engine.settings.address,
  electionId: electionIdOf(engine.settings.term),
  maxBsonObjectSize: MAX_DOCUMENT_SIZE,
  maxMessageSizeBytes: MAX_MESSAGE_SIZE,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
  connectionId,
  minWireVersion: 0,
  maxWireVersion: WIRE_VERSION,
  readOnly: false,
});

/** The topology of a running server never changes. */
const topologyVersionOf = ({ processId }: Engine): Document => ({ processId, counter: Long.ZERO });

/** Increases with every start, because drivers ignore a primary with a lower `electionId` than one they have seen. */
const electionIdOf = (term: number): ObjectId => new ObjectId(`7fffffff${BigInt(term).toString(16).padStart(16, '0')}`);

/**
 * The delay in milliseconds of the reply to a `hello`: zero unless the client already knows the current topology.
 *
 * @throws CommandError 31368 if only one of `topologyVersion` and `maxAwaitTimeMS` is present
 */
function awaitTime({ engine, body }: Request): number | undefined {
  const known = documentOption(body, 'topologyVersion');
  const wait = countOption(body, 'maxAwaitTimeMS');
  if (!known && wait === undefined) return undefined;
  if (!known || wait === undefined) {
    throw new CommandError(31368, "'topologyVersion' and 'maxAwaitTimeMS' must be given together");
  }
  if (!(known.processId instanceof ObjectId)) {
    throw typeMismatch("BSON field 'topologyVersion.processId' is missing or of the wrong type, expected 'objectId'");
  }
  return known.processId.equals(engine.processId) ? Math.min(Math.max(wait, 1), MAX_AWAIT_MS) : undefined;
}

/** Whether further replies follow without a request, as for the streamed heartbeat of a driver's monitor. */
export const isStreamed = ({ isExhaustAllowed, body }: Message, reply: Reply): boolean =>
  isExhaustAllowed && isDocument(body.topologyVersion) && !(reply instanceof Uint8Array) && 'topologyVersion' in reply;

const fixed = (reply: (request: Request) => Document, options: readonly string[] = []): Command => ({
  options,
  isAllowedInTransaction: false,
  run: (request) => ({ ...reply(request) }),
});

export const ping = fixed(() => ({}));

export const buildInfo = fixed(() => ({
  version: VERSION,
  versionArray: [7, 0, 0, 0],
  gitVersion: 'colloquy-embedded',
  modules: ['colloquy-embedded'],
  bits: 64,
  debug: false,
  maxBsonObjectSize: MAX_DOCUMENT_SIZE,
  storageEngines: ['lmdb'],
}));

export const connectionStatus = fixed(
  () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
  ['showPrivileges'],
);

export const getParameter = fixed(
  ({ body }) => ('featureCompatibilityVersion' in body ? { featureCompatibilityVersion: { version: '7.0' } } : {}),
  ['featureCompatibilityVersion'],
);

export const serverStatus = fixed(
  ({ engine }) => ({
    host: engine.settings.address,
    version: VERSION,
    process: 'colloquy-embedded',
    pid: Long.fromNumber(process.pid),
    uptime: Math.round((Date.now() - engine.startedAt) / 1000),
    localTime: new Date(),
    metrics: { cursor: { open: { total: engine.cursors.size + engine.streams.size } } },
    storageEngine: { name: 'lmdb', supportsCommittedReads: true, persistent: true },
  }),
  ['repl', 'metrics', 'locks'],
);
