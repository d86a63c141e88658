import { type Document, Long } from 'bson';
import type { Command, Request } from '../command.ts';
import { SESSION_TIMEOUT_MINUTES } from '../sessions.ts';
import { MAX_DOCUMENT_SIZE, MAX_MESSAGE_SIZE } from '../wire.ts';

/** The version whose behaviour is the measure, and its number on the wire. */
const VERSION = '7.0.0';
const WIRE_VERSION = 21;
const SET_NAME = 'colloquy';

/**
 * The handshake of a replica set of one, without which drivers switch retryable writes off. `topologyVersion` is left
 * out: with it drivers would ask for streamed heartbeats.
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
  run: ({ engine, connectionId }) => ({
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    setName: SET_NAME,
    setVersion: 1,
    hosts: [engine.settings.address],
    primary: engine.settings.address,
    me: engine.settings.address,
    electionId: engine.processId,
    maxBsonObjectSize: MAX_DOCUMENT_SIZE,
    maxMessageSizeBytes: MAX_MESSAGE_SIZE,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: SESSION_TIMEOUT_MINUTES,
    connectionId,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
  }),
};

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
