import { createHash } from 'node:crypto';
import { OperationError } from '../../errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { clientKeyOf } from '../connections/client-key.ts';
import { type Counter, createCounters } from './counters.ts';
import type { Usage } from './operation-usage.ts';
import { limitOf, RATE_CLASSES, type RateClass, type RateSettings, WITHOUT_USER } from './rate-classes.ts';
import type { SharedCounts } from './shared-counts.ts';

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
   * Waits only if this process has to report what it counted before it may admit more, see {@link createCounters}.
   *
   * @returns the quota of the first class; null if it has no limit
   * @throws {RateLimitError}
   */
  charge(client: RateClient, usage: Usage): MaybePromise<Quota | null>;
  /** Quotas of the limited classes that count for users. */
  quotasOf(user: NonNullable<RateClient['user']>): Promise<Quota[]>;
}

export interface RateLimitOptions {
  config: RateSettings;
  /** Counts of all processes; null: this process counts for itself. @default null */
  shared?: SharedCounts | null;
  /** Called with the class of each refused operation. */
  onRefused?: (name: RateClass) => void;
  /** Whole milliseconds of a monotonic clock: a wall clock that is set back would extend the windows. */
  now?: () => number;
}

/** Counts in fixed windows of a minute, which begin with the first operation. */
export function createRateLimits({
  config,
  shared = null,
  onRefused,
  now = () => Math.floor(performance.now()),
}: RateLimitOptions): RateLimits {
  const limits = Object.fromEntries(RATE_CLASSES.map((name) => [name, limitOf(config, name)])) as Record<
    RateClass,
    number
  >;
  const counters = createCounters({ shared, now });
  const counterOf = (subject: string, name: RateClass) => counters.get(`${name} ${subject}`, limits[name]);

  function quotaOf(name: RateClass, { count, endsAt }: Counter): Quota {
    const limit = limits[name];
    const resetSeconds = Math.max(1, Math.ceil((endsAt - now()) / 1_000));
    return { name, limit, remaining: Math.max(0, limit - count), resetSeconds };
  }

  function charge(client: RateClient, usage: Usage): MaybePromise<Quota | null> {
    const charged: Array<{ name: RateClass; counter: Counter; count: number }> = [];
    let reports: Array<Promise<void>> | undefined;
    for (const [counted, used] of usage) {
      for (const [name, subject] of subjectsOf(client, counted)) {
        const limit = limits[name];
        if (limit === 0) continue;
        // One document may contain more mutations than the limit: it needs a whole window.
        const count = Math.min(used, limit);
        const counter = counterOf(subject, name);
        if (counter.count + count > limit) {
          onRefused?.(name);
          throw new RateLimitError({ ...quotaOf(name, counter), remaining: 0 });
        }
        const report = counters.requiredReport(counter, count);
        if (report) {
          reports ??= [];
          reports.push(report);
        }
        charged.push({ name, counter, count });
      }
    }
    // Others may have used the rest of the limit.
    if (reports) return Promise.all(reports).then(() => charge(client, usage));
    for (const { counter, count } of charged) counters.add(counter, count);
    const [first] = charged;
    return first ? quotaOf(first.name, first.counter) : null;
  }

  return {
    charge,
    async quotasOf(user) {
      const names = RATE_CLASSES.filter((name) => limits[name] > 0 && !WITHOUT_USER.has(name));
      const found = names.map((name) => ({ name, counter: counterOf(userKey(user), name) }));
      await counters.update(found.map(({ counter }) => counter));
      return found.map(({ name, counter }) => quotaOf(name, counter));
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
