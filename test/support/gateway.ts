import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type CommandFailedEvent, type CommandStartedEvent, type Document, MongoNetworkError } from 'mongodb';
import { expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ensureNetwork } from '../../src/domain/network/ensure-network.ts';
import { TIME_SLICE } from '../../src/lib/time-slice.ts';
import { type Started, type StartOptions, start } from '../../src/process/start.ts';
import { insertSampleNetwork } from '../../src/sample/insert.ts';
import { writeSampleFiles } from '../../src/sample/pictures.ts';
import { hasFile, multipartOf, PREFLIGHT } from './multipart.ts';
import { openApiProblems } from './openapi.ts';
import { distribute, dropTestDatabase } from './sharded/distribute.ts';
import { freshDatabaseName } from './store.ts';
import { workerStore } from './worker-store.ts';

export interface TestGateway extends Started {
  /** The network that {@link TestGateway.tokenOf} signs users in to. */
  networkId: string;
  /**
   * Signs a sample user in over REST; each user has one session. `visitor#a` and `bot#a` are a visitor and a bot on the
   * device `a`.
   */
  tokenOf(userId: string): Promise<string>;
  /** Closes the gateway and keeps its database, for gateways that share one. */
  stop(): Promise<void>;
  /** Sends a REST request and validates the response against `openapi.json`. */
  rest(path: string, options?: RestCall): Promise<RestAnswer>;
  graphql<Data = Record<string, unknown>>(query: string, options?: GraphqlCall): Promise<GraphqlAnswer<Data>>;
  /** Database commands per request with 32 concurrent connections. */
  commandsUnderLoad(path: string, as?: string): Promise<number>;
  /** Names of the database commands that are sent during `work`. */
  commandsOf(work: () => Promise<unknown>): Promise<string[]>;
}

export interface RestCall {
  /** Sample user who sends the request; null sends no token. @default alice */
  as?: string | null;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface RestAnswer {
  status: number;
  headers: Headers;
  /** The body as text, for tests that compare bytes. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any;
}

export interface GraphqlCall {
  as?: string | null;
  variables?: Record<string, unknown>;
}

export interface GraphqlAnswer<Data> {
  status: number;
  data: Data;
  errors?: Array<{ message: string; path?: Array<string | number>; extensions?: Record<string, unknown> }>;
}

/**
 * A gateway with a database of its own that holds the sample network. It is on a free port and on the embedded store of
 * this worker, or on the server that `MONGODB_URI` names.
 */
export async function startTestGateway(
  env: Record<string, string | undefined> = {},
  options: StartOptions = {},
): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-'));
  const uri = env.MONGODB_URI ?? process.env.MONGODB_URI;
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    // Several tests share a machine: only tests of time limits set shorter ones.
    DATABASE_TIMEOUT_MS: '60000',
    PUBLIC_URL: 'http://files.test',
    // Background work would be counted among the commands of a test.
    WEBHOOK_DELIVERY: 'false',
    // Tests send more requests per minute than one client does.
    RATE_LIMITS: 'off',
    ANSWER_CACHE_MB: '16',
    ...(uri ? { MONGODB_URI: uri } : { EMBEDDED_STORE_URI: (await workerStore()).uri }),
    ...env,
  });
  const started = await start(config, {
    monitorCommands: true,
    databaseName: freshDatabaseName(),
    unfinishedUsersMs: 0,
    endedMs: 0,
    keyUsesMs: 0,
    dataVersionMs: 0,
    // Every test also compares: docs/decisions/0032-answers-checked-against-their-sources.md.
    knownAnswers: 'compared',
    ...options,
  });
  await started.prepared;
  const { store } = started.services;
  if (config.MONGODB_URI && config.SAMPLE_DATA !== 'none') {
    await writeSampleFiles(join(config.DATA_DIR, 'files'));
    await insertSampleNetwork({ collections: store.collections, networkId: config.NETWORK_ID });
  }
  if (config.MONGODB_URI) await distribute(store.db, config.NETWORK_ID);
  const stop = async () => {
    await started.close();
    await rm(folder, { recursive: true, force: true });
  };
  const close = async () => {
    await dropTestDatabase(store.db);
    await stop();
  };
  return withCalls(started, close, stop);
}

let shared: Promise<TestGateway> | undefined;

/**
 * A network of its own, with the sample data, in a gateway that the test files of this worker share. For tests that
 * need no settings, count no database commands and read no files: those start a gateway.
 */
export async function openTestNetwork(): Promise<TestGateway> {
  shared ??= startTestGateway({ SAMPLE_DATA: 'none' });
  const gateway = await shared;
  const networkId = `network-${randomUUID().slice(0, 8)}`;
  const keys = { ...gateway.keys, API_KEY: `api-key-${networkId}`, SERVER_KEY: `server-key-${networkId}` };
  const { store } = gateway.services;
  const config = { ...gateway.services.config, NETWORK_ID: networkId };
  await ensureNetwork(store, config, keys, new Date());
  await insertSampleNetwork({ collections: store.collections, networkId });
  await distribute(store.db, networkId);
  const started: Started = { ...gateway, keys, services: { ...gateway.services, config } };
  return withCalls(started, async () => undefined);
}

/** Adds the calls of a test to a gateway, as users of the network that its keys and settings name. */
function withCalls(started: Started, close: () => Promise<void>, stop = close): TestGateway {
  const { store, config } = started.services;
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (userId: string) => {
    const known = tokens.get(userId);
    if (known) return known;
    const token = /^(visitor|bot)#/.test(userId) ? visit(started, userId) : signIn(started, userId);
    tokens.set(userId, token);
    return token;
  };

  const gateway: TestGateway = {
    ...started,
    networkId: config.NETWORK_ID,
    close,
    stop,
    tokenOf,
    async rest(path, { as = 'alice', method = 'GET', body, headers = {} } = {}) {
      const response = await fetch(`${started.url}${path}`, {
        method,
        headers: {
          ...(as !== null && { authorization: `Bearer ${await tokenOf(as)}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const parsed = parseOr(text);
      const answered = { status: response.status, headers: response.headers, text, body: parsed };
      expect(openApiProblems(method, path, answered)).toEqual([]);
      return answered;
    },
    async graphql(query, { as = 'alice', variables } = {}) {
      const isUpload = hasFile(variables);
      const response = await fetch(`${started.url}/graphql`, {
        method: 'POST',
        headers: {
          ...(isUpload ? PREFLIGHT : { 'content-type': 'application/json' }),
          ...(as !== null && { authorization: `Bearer ${await tokenOf(as)}` }),
        },
        body: isUpload ? multipartOf(query, variables) : JSON.stringify({ query, variables }),
      });
      return { ...((await response.json()) as { data: never }), status: response.status };
    },
    async commandsUnderLoad(path, as = 'alice') {
      const amount = 320;
      const headers = { authorization: `Bearer ${await tokenOf(as)}` };
      const commands = await gateway.commandsOf(async () => {
        const result = await autocannon({ url: `${started.url}${path}`, connections: 32, amount, headers });
        expect(result['2xx']).toBe(amount);
      });
      return commands.length / amount;
    },
    async commandsOf(work) {
      await untilCacheIsFresh(store);
      const names = new Map<number, string>();
      const note = ({ requestId, commandName, command }: CommandStartedEvent) => {
        if (![isRoleCache, isCategories, isNetworkCache, isChangeStream, isUnfinishedWork].some((is) => is(command)))
          names.set(requestId, commandName);
      };
      // The driver repeats a command whose connection broke on a busy machine.
      const forget = ({ requestId, failure }: CommandFailedEvent) => {
        if (failure instanceof MongoNetworkError) names.delete(requestId);
      };
      store.client.on('commandStarted', note).on('commandFailed', forget);
      const { ms } = TIME_SLICE;
      // A busy machine takes longer for the same work, which would be split into more batches.
      TIME_SLICE.ms = Number.POSITIVE_INFINITY;
      try {
        await work();
      } finally {
        TIME_SLICE.ms = ms;
        store.client.off('commandStarted', note).off('commandFailed', forget);
      }
      return [...names.values()].filter((name) => !['hello', 'ping', 'endSessions'].includes(name));
    },
  };
  return gateway;
}

/** On a busy machine the changes of earlier operations may be late; a request would read records that it has cached. */
async function untilCacheIsFresh({ records }: Started['services']['store']): Promise<void> {
  for (let attempt = 0; attempt < 50 && records && !(await records.whenFresh()); attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Categories are cached by id for seconds: whether a request reads one depends on the time. */
function isCategories({ find, filter }: Document): boolean {
  return find === 'categories' && filter?.categoryId !== undefined;
}

/** Roles are cached: whether a request reads them depends on how far the cache has followed the changes. */
function isRoleCache({ find, filter }: Document): boolean {
  return find === 'roles' && ['networkId', 'networkId,roleId'].includes(Object.keys(filter).join());
}

/** The settings and content rules of a network are cached for seconds: whether a request reads them depends on the time. */
function isNetworkCache({ find, filter, limit }: Document): boolean {
  const isCached = find === 'networks' || find === 'contentRules';
  return isCached && limit === undefined && Object.keys(filter).join() === 'networkId';
}

/**
 * After its start, the gateway checks the version of the data, and searches for renames, deletions and erasures that an ended
 * process left unfinished.
 */
function isUnfinishedWork({ find, filter, projection }: Document): boolean {
  if (find === 'migrations') return true;
  if (find === 'networks') return projection?.unfinishedUserIds === 1;
  return find === 'userErasures' && filter?.state === 'running';
}

/** The gateway reads change streams in the background, and reopens them after a break, from the time of a read. */
function isChangeStream({ getMore, collection, aggregate, killCursors, find, filter, limit }: Document): boolean {
  if (killCursors === '$cmd.aggregate' || (find === 'networks' && limit === 1 && filter?.networkId === '')) return true;
  return aggregate === 1 || (getMore !== undefined && collection === '$cmd.aggregate');
}

/** Creates a session in the network of these keys. @returns the access token */
export async function signIn(
  { url, keys }: Pick<Started, 'url' | 'keys'>,
  userId: string,
  deviceId = `test#${userId}`,
): Promise<string> {
  const authToken = await post(`${url}/api/v4/authentication/token`, { 'x-server-key': keys.SERVER_KEY }, { userId });
  const session = await post(`${url}/api/v5/sessions`, { 'x-api-key': keys.API_KEY }, { userId, authToken, deviceId });
  return (session as { accessToken: string }).accessToken;
}

/** Creates the session of a visitor or bot. @returns the access token */
async function visit({ url, keys }: Pick<Started, 'url' | 'keys'>, name: string): Promise<string> {
  const [userType, deviceId] = name.split('#');
  const session = await post(`${url}/api/v5/sessions/${userType}`, { 'x-api-key': keys.API_KEY }, { deviceId });
  return (session as { accessToken: string }).accessToken;
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
