import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { OperationError } from '../../errors.ts';
import { clientKeyOf } from '../connections/client-key.ts';
import type { Usage } from './operation-usage.ts';
import { limitOf, RATE_CLASSES, type RateClass, type RateSettings, WITHOUT_USER } from './rate-classes.ts';

/** The period of every limit. */
export const RATE_SECONDS = 60;
const WINDOW_MS = RATE_SECONDS * 1_000;
/** Counters in memory; the least recently used are dropped beyond that. One takes about 200 bytes. */
const MAX_COUNTERS = 50_000;

/** What is left of the limit of one class. */
export interface Quota {
  name: RateClass;
  /** Operations per {@link RATE_SECONDS}. */
  limit: number;
  remaining: number;
  /** Until the count starts again. */
  resetSeconds: number;
}

/** A limit is exceeded; `quota` says when to try again. */
export class RateLimitError extends OperationError {
  readonly quota: Quota;

  constructor(quota: Quota) {
    const { name, limit, resetSeconds } = quota;
    super('RATE_LIMITED', {
      message: `Too many requests: at most ${limit} of the class ${name} per minute. Try again in ${resetSeconds} s.`,
    });
    this.quota = quota;
  }
}

/** Sender of an operation. */
export interface RateClient {
  user: { networkId: string; userId: string } | null;
  address: string;
  apiKey: string | null;
  serverKey: string | null;
}

export interface RateLimits {
  /**
   * Counts an operation: for the user, without a session for the address. Sign-ins always count for the address, and in
   * the class `apiKey` for the API key; auth tokens for the address and the server key. A refused operation does not count.
   *
   * @returns the quota of the first class; null if it has no limit
   * @throws {RateLimitError}
   */
  charge(client: RateClient, usage: Usage): Quota | null;
  /** Quotas of the limited classes that count for users. */
  quotasOf(user: NonNullable<RateClient['user']>): Quota[];
}

export interface RateLimitOptions {
  config: RateSettings;
  /** Called with the class of each refused operation. */
  onRefused?: (name: RateClass) => void;
  /** Whole milliseconds of a monotonic clock: a wall clock that is set back would extend the windows. */
  now?: () => number;
}

interface Counter {
  count: number;
  endsAt: number;
}

/** Counts in fixed windows of a minute, in the memory of this process. */
export function createRateLimits({
  config,
  onRefused,
  now = () => Math.floor(performance.now()),
}: RateLimitOptions): RateLimits {
  const limits = Object.fromEntries(RATE_CLASSES.map((name) => [name, limitOf(config, name)])) as Record<
    RateClass,
    number
  >;
  const counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS });

  function counterOf(subject: string, name: RateClass, time: number): Counter {
    const key = `${name} ${subject}`;
    let counter = counters.get(key);
    if (!counter || counter.endsAt <= time) {
      counter = { count: 0, endsAt: time + WINDOW_MS };
      counters.set(key, counter);
    }
    return counter;
  }

  function quotaOf(name: RateClass, { count, endsAt }: Counter, time: number): Quota {
    const limit = limits[name];
    const resetSeconds = Math.max(1, Math.ceil((endsAt - time) / 1_000));
    return { name, limit, remaining: Math.max(0, limit - count), resetSeconds };
  }

  return {
    charge(client, usage) {
      const time = now();
      const charged: Array<{ name: RateClass; counter: Counter; count: number }> = [];
      for (const [counted, used] of usage) {
        for (const [name, subject] of subjectsOf(client, counted)) {
          const limit = limits[name];
          if (limit === 0) continue;
          // One document may contain more mutations than the limit: it needs a whole window.
          const count = Math.min(used, limit);
          const counter = counterOf(subject, name, time);
          if (counter.count + count > limit) {
            onRefused?.(name);
            throw new RateLimitError({ ...quotaOf(name, counter, time), remaining: 0 });
          }
          charged.push({ name, counter, count });
        }
      }
      for (const { counter, count } of charged) counter.count += count;
      const [first] = charged;
      return first ? quotaOf(first.name, first.counter, time) : null;
    },
    quotasOf(user) {
      const time = now();
      return RATE_CLASSES.filter((name) => limits[name] > 0 && !WITHOUT_USER.has(name)).map((name) =>
        quotaOf(name, counterOf(userKey(user), name, time), time),
      );
    },
  };
}

const userKey = ({ networkId, userId }: NonNullable<RateClient['user']>) => `user ${networkId} ${userId}`;

/** What an operation counts for, and in which class. */
function subjectsOf(client: RateClient, name: RateClass): Array<[name: RateClass, subject: string]> {
  const { user, address, apiKey, serverKey } = client;
  if (user && !WITHOUT_USER.has(name)) return [[name, userKey(user)]];
  const subjects: ReturnType<typeof subjectsOf> = [[name, `address ${clientKeyOf(address)}`]];
  if (name === 'mint' && serverKey) subjects.push([name, networkKey(serverKey)]);
  if (name === 'signIn' && apiKey) subjects.push(['apiKey', networkKey(apiKey)]);
  return subjects;
}

/** Hashed, because keys of any length are stored before they are verified. */
const networkKey = (key: string) => `key ${createHash('sha256').update(key).digest('base64')}`;
