import { setMaxListeners } from 'node:events';
import { createSemaphore } from '../lib/semaphore.ts';
import type { WebhookDeliveryRecord, WebhookEndpointRecord } from '../store/records/webhook.ts';
import { type AttemptOptions, type AttemptTerms, attempt } from './attempt.ts';
import { createTeller, type Tell } from './due-notifier.ts';
import { createEndpointNow, type EndpointNow } from './endpoint-cache.ts';
import { silenceOf } from './health.ts';
import { claim, dueEndpoints, type EndpointKey, settle } from './queue.ts';
import { createWriter } from './writer.ts';

/** What this process is delivering to one endpoint. */
interface Line {
  key: EndpointKey;
  /** Deliveries that were claimed and have not been concluded. */
  claimed: number;
  /** How many there may be. */
  limit: number;
  /** Lets so many calls be under way. */
  takeTurn: AttemptTerms['takeTurn'];
  endpointNow: EndpointNow;
  tell: Tell;
  /** Whether more was due than there was room for. */
  hasMore: boolean;
  /** Its queue is looked into once at a time. */
  serving: Promise<void> | null;
  again: boolean;
}

/** A record of an endpoint, and when its reading began. */
interface Read {
  found: WebhookEndpointRecord | null | Promise<WebhookEndpointRecord | null>;
  readAt: number;
}

export interface WorkerOptions extends Omit<AttemptOptions, 'writer'> {
  /** How long a delivery belongs to whoever claimed it: longer than an attempt can take. @default 60_000 */
  leaseMs?: number | undefined;
  /** How often is looked for what has become due. @default 1_000 */
  pollMs?: number | undefined;
  /** Told of what kept a look or an attempt from its end; it comes again by itself. */
  onError(error: unknown): void;
}

/** Room for one delivery that is put in with a lease of this process. */
export interface Reserved {
  leaseMs: number;
  /** It has been put in. */
  send(delivery: WebhookDeliveryRecord): void;
  /** It has not. */
  giveUp(): void;
}

/** @param readAt when the reading of the endpoint began. @returns null where there is no room */
export type Reserve = (endpoint: WebhookEndpointRecord, readAt: number) => Reserved | null;

export interface Worker {
  /** Keeps room for what is about to be put in, so that it needs no claim. */
  reserve: Reserve;
  /** Looks at once: something has just been put in. */
  wake(): void;
  /** Tries all that is due now, until nothing is; for tests with a clock of their own. */
  runDue(): Promise<void>;
  /** Takes no more, and gives back what has not been answered within `patienceMs`. */
  close(patienceMs?: number): Promise<void>;
}

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
/** Calls under way to one endpoint, from one process. */
const AT_ONCE = 8;
/**
 * Claimed together, so that one claim serves many, and what is put in here needs none. Whose turn does not come within
 * the lease is given back.
 */
const CLAIMED = 400;
/** In the memory of this process: while there are so many, each endpoint has room for a few. */
const CLAIMED_IN_ALL = 4_000;
const CLAIMED_FEW = 24;
/** One that fails may keep its callers waiting: fewer of them. */
const CLAIMED_FAILING = 2;
const MAX_ENDPOINTS = 5_000;

/**
 * Delivers what is due. Each endpoint has calls of its own, so that a dead or slow receiver holds up nobody else; any
 * number of processes do this side by side.
 */
export function createWorker(options: WorkerOptions): Worker {
  const { collections, now, onError, leaseMs = LEASE_MS, pollMs = POLL_MS } = options;
  const lines = new Map<string, Line>();
  const attempts: AttemptOptions = { ...options, writer: createWriter(collections) };
  const aborted = new AbortController();
  // Each call under way waits for it.
  setMaxListeners(0, aborted.signal);
  const underWay = new Set<Promise<void>>();
  let claimedInAll = 0;
  let isClosed = false;
  let looking: Promise<void> | null = null;
  let wanted = false;
  let timer: NodeJS.Timeout | undefined;

  function lineOf(key: EndpointKey): Line {
    const name = nameOf(key);
    const known = lines.get(name);
    if (known) return known;
    const line: Line = {
      key: keyOf(key),
      claimed: 0,
      limit: CLAIMED,
      takeTurn: createSemaphore(AT_ONCE),
      endpointNow: createEndpointNow(() => collections.webhookEndpoints.findOne(keyOf(key))),
      tell: createTeller(collections, keyOf(key)),
      hasMore: false,
      serving: null,
      again: false,
    };
    lines.set(name, line);
    return line;
  }

  /** @param known its endpoint, when that has just been read */
  function serve(line: Line, known?: Read): void {
    if (isClosed) return;
    if (line.serving) {
      line.again = true;
      return;
    }
    line.again = false;
    line.serving = take(line, known ?? readNow(line.key))
      .catch(onError)
      .finally(() => {
        line.serving = null;
        if (line.again) serve(line);
        else forget(line);
      });
    track(line.serving);
  }

  /** Takes what fits of what is due, and looks when the next one will be. */
  async function take(line: Line, { found, readAt }: Read): Promise<void> {
    // What was put in since is counted in the record, so that it is not one that is a second old.
    const endpoint = await found;
    if (endpoint) line.endpointNow.put(endpoint, readAt);
    if (!endpoint || (await isSilent(endpoint))) return;
    line.limit = limitOf(endpoint);
    const room = line.limit - line.claimed;
    if (room <= 0) {
      line.hasMore = true;
      return;
    }
    const { deliveries, nextDueAt } = await claim(collections, endpoint, { limit: room, now: now(), leaseMs });
    line.hasMore = nextDueAt !== null && nextDueAt <= now();
    count(line, deliveries.length);
    for (const delivery of deliveries) send(line, endpoint, delivery);
    if (!line.hasMore) await settle(collections, endpoint, nextDueAt);
  }

  function count(line: Line, more: number): void {
    line.claimed += more;
    claimedInAll += more;
  }

  function limitOf({ failingSince }: WebhookEndpointRecord): number {
    if (failingSince !== null) return CLAIMED_FAILING;
    return claimedInAll < CLAIMED_IN_ALL ? CLAIMED : CLAIMED_FEW;
  }

  function send(line: Line, endpoint: WebhookEndpointRecord, delivery: WebhookDeliveryRecord): void {
    const { takeTurn, endpointNow, tell } = line;
    track(
      attempt(attempts, endpoint, delivery, { takeTurn, endpointNow, tell, leaseMs, signal: aborted.signal })
        .catch(onError)
        .finally(() => free(line)),
    );
  }

  function reserve(endpoint: WebhookEndpointRecord, readAt: number): Reserved | null {
    if (isClosed || silenceOf(endpoint, now())) return null;
    const line = lineOf(endpoint);
    line.endpointNow.put(endpoint, readAt);
    line.limit = limitOf(endpoint);
    // What waits already comes first.
    if (line.hasMore || line.claimed >= line.limit) return null;
    count(line, 1);
    return { leaseMs, send: (delivery) => send(line, endpoint, delivery), giveUp: () => free(line) };
  }

  function readNow(key: EndpointKey): Read {
    return { readAt: performance.now(), found: collections.webhookEndpoints.findOne(keyOf(key)) };
  }

  /** Several are taken at once: they cost little more than a single one. */
  function free(line: Line): void {
    count(line, -1);
    if (line.hasMore && line.claimed * 2 <= line.limit) serve(line);
    else if (line.claimed === 0) forget(line);
  }

  /** Whether nothing is to be sent now; it is looked at again when that ends. */
  async function isSilent(endpoint: WebhookEndpointRecord): Promise<boolean> {
    const { networkId, endpointId, queued } = endpoint;
    const silence = silenceOf(endpoint, now());
    if (!silence) return false;
    await collections.webhookEndpoints.updateOne(
      { networkId, endpointId, queued },
      silence === 'disabled' ? { $unset: { dueAt: '' } } : { $set: { dueAt: silence } },
    );
    return true;
  }

  function forget(line: Line): void {
    if (!line.serving && line.claimed === 0) lines.delete(nameOf(line.key));
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  /** @returns for how many endpoints there was something to do */
  async function serveDue(): Promise<number> {
    const readAt = performance.now();
    const due = await dueEndpoints(collections, now(), MAX_ENDPOINTS);
    for (const endpoint of due) serve(lineOf(endpoint), { readAt, found: endpoint });
    return due.length;
  }

  function look(): Promise<void> {
    wanted = false;
    looking ??= serveDue()
      .then(() => undefined)
      .catch(onError)
      .finally(() => {
        looking = null;
        schedule(wanted ? 0 : pollMs);
      });
    return looking;
  }

  function schedule(inMs: number): void {
    clearTimeout(timer);
    if (!isClosed && pollMs > 0) timer = setTimeout(look, inMs);
  }

  schedule(0);

  return {
    reserve,
    wake() {
      wanted = true;
      if (!looking) schedule(0);
    },
    async runDue() {
      while (!isClosed) {
        if ((await serveDue()) === 0 && underWay.size === 0) return;
        await Promise.all(underWay);
      }
    },
    async close(patienceMs = 3_000) {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      const end = setTimeout(() => aborted.abort(), patienceMs);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(end);
    },
  };
}

function keyOf({ networkId, endpointId }: EndpointKey): EndpointKey {
  return { networkId, endpointId };
}

function nameOf({ networkId, endpointId }: EndpointKey): string {
  return `${networkId} ${endpointId}`;
}
