import { setTimeout as pause } from 'node:timers/promises';
import type { Db, MongoClient, TopologyDescription } from 'mongodb';
import { UnavailableError } from '../database-errors.ts';

/** How long the database may take to answer before it counts as unavailable. */
const ANSWER_TIMEOUT_MS = 2_000;
/** How often the database is probed during an outage. */
const PROBE_INTERVAL_MS = 500;
/** An outage ends when nothing has failed for this long. */
const QUIET_MS = 5_000;

export interface Readiness {
  isReady: boolean;
  /** Whether writes are rejected while reads succeed. */
  isReadOnly: boolean;
  /** A message for operators; null when the database works normally. */
  reason: string | null;
}

/** Called once at the start and once at the end of each outage. */
export interface AvailabilityListener {
  onFailing(error: UnavailableError): void;
  onRecovered(outage: { seconds: number; failures: number }): void;
}

/** The state of the database, as known from the driver's monitoring and from failed requests. */
export interface Availability {
  /** Admits requests: the database has been prepared. */
  open(): void;
  /**
   * The error for requests that cannot succeed now, else null. Requests wait through the first seconds of an outage.
   */
  refusal(): UnavailableError | null;
  /** Probes the database now. */
  readiness(): Promise<Readiness>;
  /** Records a failed request. */
  reportFailure(error: UnavailableError): void;
  listen(listener: AvailabilityListener): void;
  close(): void;
}

interface Outage {
  since: number;
  lastFailure: number;
  failures: number;
}

/** @param patienceMs how long an outage lasts before requests are rejected instead of waiting for the database */
export function createAvailability(client: MongoClient, db: Db, patienceMs: number): Availability {
  let isOpen = false;
  let isClosed = false;
  let lostAt: number | null = null;
  let isReadOnly = false;
  /**
   * The driver has removed every server from its topology, as it does with one that restarts outside its replica set.
   */
  let hasNoServers = false;
  /** When a primary last answered one of the driver's heartbeats. */
  let heartbeatAt = 0;
  let outage: Outage | null = null;
  let listener: AvailabilityListener | null = null;

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    if (canServe(newDescription)) {
      lostAt = null;
      return;
    }
    if (newDescription.servers.size === 0) hasNoServers = true;
    if (lostAt !== null || isClosed || !isOpen) return;
    lostAt = performance.now();
    reportFailure(new UnavailableError('away'));
  });

  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    if (reply.isWritablePrimary) heartbeatAt = performance.now();
  });

  /**
   * A ping may be stuck in the pool's queue like any other command; heartbeats have a connection of their own. They do not
   * count while no server is known that can serve: one that left its replica set still answers them.
   */
  async function isReachable(): Promise<boolean> {
    const startedAt = performance.now();
    return (await succeedsInTime(ping(db))) || (heartbeatAt > startedAt && lostAt === null);
  }

  function reportFailure(error: UnavailableError): void {
    const now = performance.now();
    if (error.reason === 'full') isReadOnly = true;
    if (outage) {
      outage.lastFailure = now;
      outage.failures += 1;
      return;
    }
    if (!isOpen || isClosed) return;
    outage = { since: now, lastFailure: now, failures: 1 };
    listener?.onFailing(error);
    void watch(outage);
  }

  /** Probes until the outage is over; a pending command also makes the driver look for a server more often. */
  async function watch(current: Outage): Promise<void> {
    for (;;) {
      await pause(PROBE_INTERVAL_MS, undefined, { ref: false });
      if (isClosed) return;
      if (hasNoServers) hasNoServers = !(await reconnect(client));
      if (isReadOnly && (await succeedsInTime(writeProbe(db)))) isReadOnly = false;
      const isHealthy = (await isReachable()) && !isReadOnly && lostAt === null;
      if (!isHealthy) current.lastFailure = performance.now();
      else if (performance.now() - current.lastFailure > QUIET_MS) break;
    }
    outage = null;
    const seconds = Math.round((performance.now() - current.since) / 1_000);
    listener?.onRecovered({ seconds, failures: current.failures });
  }

  return {
    open() {
      isOpen = true;
    },
    refusal() {
      if (!isOpen) return new UnavailableError('starting');
      const isLost = lostAt !== null && performance.now() - lostAt > patienceMs;
      return isLost ? new UnavailableError('away') : null;
    },
    async readiness() {
      if (!isOpen) return { isReady: false, isReadOnly, reason: new UnavailableError('starting').message };
      if (!(await isReachable())) return { isReady: false, isReadOnly, reason: new UnavailableError('away').message };
      return { isReady: true, isReadOnly, reason: isReadOnly ? new UnavailableError('full').message : null };
    },
    reportFailure,
    listen(given) {
      listener = given;
    },
    close() {
      isClosed = true;
    },
  };
}

const SERVING = new Set(['RSPrimary', 'Mongos', 'Standalone', 'LoadBalancer']);

/** Whether a server is known that accepts reads and writes. */
function canServe({ servers }: TopologyDescription): boolean {
  return [...servers.values()].some(({ type }) => SERVING.has(type));
}

/**
 * Closes the client and connects to the servers of the URI again, which the driver does not do by itself.
 * @returns whether one was found
 */
async function reconnect(client: MongoClient): Promise<boolean> {
  await client.close().catch(() => undefined);
  return client.connect().then(
    () => true,
    () => false,
  );
}

const ping = (db: Db): Promise<unknown> => db.command({ ping: 1 });

/** The smallest write, to find out whether writes succeed again. */
function writeProbe(db: Db): Promise<unknown> {
  const probes = db.collection<{ _id: string; at: Date }>('probes');
  return probes.updateOne({ _id: 'write' }, { $set: { at: new Date() } }, { upsert: true });
}

/** Whether the command succeeds within {@link ANSWER_TIMEOUT_MS}; a slower one is not awaited any longer. */
async function succeedsInTime(command: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  const timeout = pause(ANSWER_TIMEOUT_MS, false, { signal: done.signal });
  const isDone = await Promise.race([command.then(() => true), timeout]).catch(() => false);
  done.abort();
  timeout.catch(() => undefined);
  return isDone;
}
