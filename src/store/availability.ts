import { setTimeout as pause } from 'node:timers/promises';
import type { Db, MongoClient, TopologyDescription } from 'mongodb';
import { UnavailableError } from '../database-errors.ts';

/** How long the database may take to answer before it counts as away. */
const ANSWERS_WITHIN_MS = 2_000;
/** How often the database is asked while something is wrong with it. */
const ASK_EVERY_MS = 500;
/** An outage is over when this long nothing failed any more; each is logged once. */
const QUIET_MS = 5_000;

export interface Readiness {
  isReady: boolean;
  /** Whether writes are refused while reads go on. */
  isReadOnly: boolean;
  /** For people; null when all is well. */
  reason: string | null;
}

/** Told once when something begins to fail, and once when all is well again. */
export interface AvailabilityListener {
  onFailing(error: UnavailableError): void;
  onRecovered(outage: { seconds: number; failures: number }): void;
}

/** What is known of the database's condition, from the driver's own watch and from what failed. */
export interface Availability {
  /** Lets requests through: the database has been prepared. */
  open(): void;
  /** Why no request should be tried, else null. The first seconds of an outage are waited out: most end there. */
  refusal(): UnavailableError | null;
  /** Asks the database now. */
  readiness(): Promise<Readiness>;
  /** Notes a request that failed. */
  note(error: UnavailableError): void;
  listen(listener: AvailabilityListener): void;
  close(): void;
}

interface Outage {
  since: number;
  lastFailure: number;
  failures: number;
}

/** @param patienceMs how long requests go on to wait for a database that is away, before they are refused at once */
export function createAvailability(client: MongoClient, db: Db, patienceMs: number): Availability {
  let isOpen = false;
  let isClosed = false;
  let lostAt: number | null = null;
  let isReadOnly = false;
  /** The driver has struck out every server, as it does with one that comes back outside of its replica set. */
  let isForlorn = false;
  /** When a server that takes writes last told the driver's watch that it is there. */
  let heardAt = 0;
  let outage: Outage | null = null;
  let listener: AvailabilityListener | null = null;

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    if (canServe(newDescription)) {
      lostAt = null;
      return;
    }
    if (newDescription.servers.size === 0) isForlorn = true;
    if (lostAt !== null || isClosed || !isOpen) return;
    lostAt = performance.now();
    note(new UnavailableError('away'));
  });

  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    if (reply.isWritablePrimary) heardAt = performance.now();
  });

  /** A ping waits in the pool's queue like any other command; the watch has a connection of its own. */
  async function isThere(): Promise<boolean> {
    const askedAt = performance.now();
    return (await answers(ping(db))) || heardAt > askedAt;
  }

  function note(error: UnavailableError): void {
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

  /** Asks until all is well again; asking also makes the driver look for a server more often. */
  async function watch(current: Outage): Promise<void> {
    for (;;) {
      await pause(ASK_EVERY_MS, undefined, { ref: false });
      if (isClosed) return;
      if (isForlorn) isForlorn = !(await beginAnew(client));
      if (isReadOnly && (await answers(writeProbe(db)))) isReadOnly = false;
      const isWell = (await isThere()) && !isReadOnly && lostAt === null;
      if (!isWell) current.lastFailure = performance.now();
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
      const isGivenUp = lostAt !== null && performance.now() - lostAt > patienceMs;
      return isGivenUp ? new UnavailableError('away') : null;
    },
    async readiness() {
      if (!isOpen) return { isReady: false, isReadOnly, reason: new UnavailableError('starting').message };
      if (!(await isThere())) return { isReady: false, isReadOnly, reason: new UnavailableError('away').message };
      return { isReady: true, isReadOnly, reason: isReadOnly ? new UnavailableError('full').message : null };
    },
    note,
    listen(given) {
      listener = given;
    },
    close() {
      isClosed = true;
    },
  };
}

const SERVING = new Set(['RSPrimary', 'Mongos', 'Standalone', 'LoadBalancer']);

/** Whether a server is known that would take reads and writes. */
function canServe({ servers }: TopologyDescription): boolean {
  return [...servers.values()].some(({ type }) => SERVING.has(type));
}

/** Looks for the servers that the URI names, since the driver never does so again. @returns whether one was found */
async function beginAnew(client: MongoClient): Promise<boolean> {
  await client.close().catch(() => undefined);
  return client.connect().then(
    () => true,
    () => false,
  );
}

const ping = (db: Db): Promise<unknown> => db.command({ ping: 1 });

/** The smallest write, to learn whether others would succeed. */
function writeProbe(db: Db): Promise<unknown> {
  const probes = db.collection<{ _id: string; at: Date }>('probes');
  return probes.updateOne({ _id: 'write' }, { $set: { at: new Date() } }, { upsert: true });
}

/** Whether it succeeds in time; what takes longer is left behind. */
async function answers(asked: Promise<unknown>): Promise<boolean> {
  const given = new AbortController();
  const late = pause(ANSWERS_WITHIN_MS, false, { signal: given.signal });
  const isDone = await Promise.race([asked.then(() => true), late]).catch(() => false);
  given.abort();
  late.catch(() => undefined);
  return isDone;
}
