import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { KnownAnswers } from '../answers/answer-cache.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Services } from '../context.ts';
import { unavailability } from '../database-errors.ts';
import { createTokenSigner } from '../domain/session/tokens.ts';
import type { EmbeddedStore, EmbeddedStoreOptions } from '../embedded/index.ts';
import { createHub } from '../events/hub.ts';
import { createStorage } from '../files/create-storage.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { createTextSeal } from '../lib/text-seal.ts';
import { VERSION } from '../lib/version.ts';
import { trackIdleConnections } from '../limits/idle-connections.ts';
import { answerReports } from '../observe/all-processes.ts';
import { recordStatus } from '../observe/process-status.ts';
import { type MetricsServer, startMetricsServer } from '../observe/serve-metrics.ts';
import { startTracing } from '../observe/tracing/start-tracing.ts';
import type { OpenChangeFeed } from '../store/record-cache/change-feed.ts';
import { createStore, type Store } from '../store/store.ts';
import { createResolver } from '../webhooks/resolver.ts';
import { startWebhooks, type WebhookTimes } from '../webhooks/webhooks.ts';
import { assertPortFree, explainListenError } from './assert-port-free.ts';
import { checkDataVersionPeriodically } from './check-data-version.ts';
import { closeServer, finishesWithinMs } from './close-server.ts';
import { createDataFolder } from './data-folder.ts';
import { explainFullDisk } from './explain-full-disk.ts';
import { finishUserChangesPeriodically } from './finish-user-changes.ts';
import { type Keys, readKeys } from './keys.ts';
import { liftEndedPeriodically } from './lift-ended.ts';
import { checkStore, type Prepared, prepareStore, prepareWhenAvailable } from './prepare-store.ts';
import { outdatedSecrets, requireProductionSettings } from './production-settings.ts';
import { storeKeyUsesPeriodically } from './store-key-uses.ts';
import { embeddedFolder } from './store-size.ts';

export interface Started extends Gateway {
  services: Services;
  keys: Keys;
  /** The base URL, without a trailing slash. */
  url: string;
  /** The port of the metrics; null if they have none of their own, or another process serves them. */
  metricsPort: number | null;
  /**
   * Settles when the database is ready for requests, which are refused until then.
   * Rejects with a {@link ConfigError} when the database can never become ready.
   */
  prepared: Promise<Prepared>;
  close(): Promise<void>;
}

export interface StartOptions {
  /**
   * Called once when a later release has migrated the data to a form that this one cannot use.
   * @param close closes everything that has been started, as {@link Started.close} does
   */
  onOutdated?: (error: Error, close: () => Promise<void>) => void;
  /** Called when the embedded store has died too often. */
  onStoreExit?: (error: Error) => void;
  /** Only for tests: emit the driver's command events. */
  monitorCommands?: boolean;
  /** Only for tests: options of the embedded store. */
  embedded?: Partial<EmbeddedStoreOptions>;
  /** Only for tests: the pauses before restarts of an embedded store that dies early. */
  restartPausesMs?: readonly number[];
  /**
   * Called before requests are accepted, when an embedded store is ready for them.
   * @param close closes everything that has been started, as {@link Started.close} does
   */
  beforeListening?: (close: () => Promise<void>) => Promise<void>;
  /** Called with every embedded store that is started. */
  onEmbedded?: (store: EmbeddedStore) => void;
  /** Only for tests. @default the database of the URI */
  databaseName?: string;
  /** Only for tests: opens the feed of changes that the record cache follows. */
  openChangeFeed?: OpenChangeFeed;
  /** Only for tests: mebibytes of cached records, also a fraction. @default CACHE_MB */
  cacheMb?: number;
  /** Only for tests: how many of the newest events are kept in memory. */
  eventBufferSize?: number;
  /** Only for tests: how kept answers are used. @default returned */
  knownAnswers?: KnownAnswers;
  /** Only for tests: intervals and leases of webhook delivery. */
  webhookTimes?: WebhookTimes;
  /** Only for tests: how often unfinished renames and deletions of users are continued; 0: only at the start. */
  unfinishedUsersMs?: number;
  /** Only for tests: how often the ends of bans and mutes are stored; 0: never. */
  endedMs?: number;
  /** Only for tests: how often the last uses of keys are stored; 0: only at the end. */
  keyUsesMs?: number;
  /** Only for tests: how often the version of the data is checked; 0: only at the start. */
  dataVersionMs?: number;
}

/**
 * Starts the whole gateway: keys, store, network, sample data, transports. An embedded store is ready before the gateway
 * listens; another database may become available later, see {@link Started.prepared}. A failed start closes everything.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<Started> {
  const closers: Array<() => Promise<void>> = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const ends: PromiseSettledResult<void>[] = [];
    // A part that fails leaves no other one open, such as the store.
    for (const closer of closers.reverse()) ends.push(...(await Promise.allSettled([closer()])));
    throwFirst(ends);
  };
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  try {
    requireProductionSettings(config);
    await assertPortFree(config);
    const keys = await readKeys(config);
    const metrics = await observeProcess(config, closers);
    const uri = config.MONGODB_URI ?? config.EMBEDDED_STORE_URI ?? (await startEmbedded(config, options, closers));
    const store = openClient(uri, config, options);
    closers.push(() => store.close());
    const events = createHub({
      db: store.db,
      ...(options.eventBufferSize && { bufferSize: options.eventBufferSize }),
      onRetry(error) {
        const found = unavailability(error);
        if (found) store.availability.reportFailure(found);
      },
    });
    events.open();
    closers.push(() => events.close());
    const services: Services = {
      config,
      store,
      files: createStorage(config),
      tokens: createTokenSigner(keys.TOKEN_SECRET, config.TOKEN_SECRET_ACCEPTED),
      seal: createTextSeal(keys.TOKEN_SECRET, config.TOKEN_SECRET_ACCEPTED),
      publicUrl: config.PUBLIC_URL?.replace(/\/+$/, '') ?? urlOf(config),
      now: () => new Date(),
      instanceId: randomUUID(),
      resolveHost: createResolver(),
      events,
    };
    const gateway = await createGateway(services, {
      apiKey: keys.API_KEY,
      serverKey: keys.SERVER_KEY,
      tokenSecret: keys.TOKEN_SECRET,
      knownAnswers: options.knownAnswers,
    });
    if (config.NODE_ENV === 'production' && !config.SECURE_MODE) gateway.server.log.warn(INSECURE_MODE);
    if (config.NODE_ENV === 'production' && config.MONGODB_URI === undefined)
      gateway.server.log.warn(
        `MONGODB_URI is not set: data is stored in the embedded store in ${resolve(config.DATA_DIR)}`,
      );
    for (const message of outdatedSecrets(config, services.now())) gateway.server.log.warn(message);
    const closeIdle = trackIdleConnections(gateway.server.server);
    /** Stop what runs beside the requests. */
    const stops: Array<() => Promise<void>> = [];
    closers.push(async () => {
      // Concurrently: no connection is accepted while background work waits for the database or for receivers.
      const closes = [closeServer(gateway, closeIdle, config), ...stops.map((stop) => stop())];
      throwFirst(await Promise.allSettled(closes));
    });
    const prepare = () => prepareStore(services, keys, gateway.server.log);
    const ready = config.MONGODB_URI === undefined ? await prepare() : await checkStore(services, keys);
    await options.beforeListening?.(close);
    const url = await gateway.server
      .listen({ port: config.PORT, host: config.HOST, backlog: LISTEN_BACKLOG })
      .catch(explainListenError(config));
    if (closing) throw new Error('The gateway was closed while it started.');
    if (config.PUBLIC_URL === undefined) {
      services.publicUrl = urlOf(config, Number(new URL(url).port) || config.PORT);
      if (config.NODE_ENV === 'production') gateway.server.log.warn(unsetPublicUrl(services.publicUrl));
    }

    const stopped = new AbortController();
    stops.push(async () => stopped.abort());
    const prepared = ready ? Promise.resolve(ready) : prepareWhenAvailable(prepare, gateway, stopped.signal);
    prepared.catch(() => undefined);
    stops.push(finishUserChangesPeriodically(services, { prepared, intervalMs: options.unfinishedUsersMs }));
    if (options.endedMs !== 0) {
      stops.push(liftEndedPeriodically(services, { prepared, intervalMs: options.endedMs }));
    }
    stops.push(storeKeyUsesPeriodically(services, { prepared, intervalMs: options.keyUsesMs }));
    stops.push(
      checkDataVersionPeriodically(services, {
        prepared,
        intervalMs: options.dataVersionMs,
        onOutdated: (error) => options.onOutdated?.(error, close),
      }),
    );
    stops.push(deliverWebhooks(gateway, services, { prepared, times: options.webhookTimes }));
    return { ...gateway, services, keys, url, metricsPort: metrics?.port ?? null, prepared, close };
  } catch (error) {
    await close();
    throw explainFullDisk(error, config.DATA_DIR);
  }
}

/** Records the status of this process, starts traces if they are on, and serves the metrics on `METRICS_PORT`, which the primary does for workers. */
export async function observeProcess(
  config: Config,
  closers: Array<() => Promise<void>>,
): Promise<MetricsServer | null> {
  const stopRecording = recordStatus(VERSION);
  closers.push(async () => stopRecording());
  answerReports();
  const stopTracing = await startTracing(process.env, VERSION);
  if (stopTracing) closers.push(stopTracing);
  const metrics = cluster.isWorker ? null : await startMetricsServer(config);
  if (metrics) closers.push(metrics.close);
  return metrics;
}

/** Connections that wait to be accepted, as after a restart, when thousands of clients return. The system may allow fewer. */
const LISTEN_BACKLOG = 4_096;

const unsetPublicUrl = (url: string): string =>
  `PUBLIC_URL is not set: file URLs begin with ${url}; set it to the address under which clients reach the gateway`;

const INSECURE_MODE =
  'SECURE_MODE is false: anyone who knows API_KEY can sign in as any user who holds no role in the network';

function throwFirst(ends: readonly PromiseSettledResult<void>[]): void {
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Delivers webhooks as soon as the database is ready. @returns a function that stops the delivery */
function deliverWebhooks(
  { server, renderBody }: Gateway,
  services: Services,
  { prepared, times }: { prepared: Promise<Prepared>; times: WebhookTimes | undefined },
): () => Promise<void> {
  let isOver = false;
  let webhooks: ReturnType<typeof startWebhooks> | undefined;
  const begin = () => {
    if (!isOver) webhooks = startWebhooks({ services, renderBody, log: server.log, times });
  };
  if (services.config.WEBHOOK_DELIVERY) prepared.then(begin, () => undefined);
  return async () => {
    isOver = true;
    await webhooks?.close(finishesWithinMs(services.config));
  };
}

/** @throws {ConfigError} for an invalid URI */
function openClient(
  uri: string,
  config: Config,
  { monitorCommands, databaseName, cacheMb = config.CACHE_MB, openChangeFeed }: StartOptions,
): Store {
  try {
    return createStore({
      uri,
      monitorCommands,
      databaseName,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
      poolSize: config.DATABASE_POOL_SIZE,
      cacheMb,
      openChangeFeed,
    });
  } catch (error) {
    throw new ConfigError(`MONGODB_URI: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Starts and supervises the embedded store in the data folder. @returns its URI */
export async function startEmbedded(
  config: Config,
  options: StartOptions,
  closers: Array<() => Promise<void>>,
): Promise<string> {
  const folder = embeddedFolder(config);
  await createDataFolder(config.DATA_DIR, 'store');
  const { superviseEmbeddedStore } = await import('./embedded-supervisor.ts');
  const embedded = await superviseEmbeddedStore({
    store: {
      folder,
      residentTarget: config.RSS_TARGET_MB * 1_048_576,
      onWarning: (message) => console.error(message),
      ...options.embedded,
    },
    onGivenUp: options.onStoreExit ?? (() => undefined),
    onRestart: (message) => console.error(message),
    onStarted: options.onEmbedded,
    pausesMs: options.restartPausesMs,
  });
  closers.push(() => embedded.close());
  return embedded.uri;
}

function urlOf({ HOST, PORT }: Config, port = PORT): string {
  return `http://${hostForUrl(HOST)}:${port}`;
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
