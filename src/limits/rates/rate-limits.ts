import { createHash } from 'node:crypto';
import { OperationError } from '../../errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { clientKeyOf } from '../connections/client-key.ts';
import { type Counter, createCounters } from './counters.ts';
import type { Usage } from './operation-usage.ts';
import { limitOf, RATE_CLASSES, type RateClass, type RateSettings, WITHOUT_USER } from './rate-classes.ts';
import type { SharedCounts } from './shared-counts.ts';

/** Credentials that can be guessed. */
export type CredentialKind = 'token' | 'apiKey' | 'serverKey';

/** Clients that operations are counted for. */
export type RateSubject = 'user' | 'address' | 'apiKey' | 'serverKey';

/** What is left of the limit of one class. */
export interface Quota {
  name: RateClass;
  countedFor: RateSubject;
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
  /**
   * Refuses a key before it is compared, if its address has sent too many invalid ones of its kind. Tokens need no such
   * check: their signature cannot be guessed.
   *
   * @throws {RateLimitError}
   */
  assertMayTry(address: string, kind: CredentialKind): void;
  /** Counts an invalid credential. @throws {RateLimitError} beyond the limit */
  chargeInvalidCredential(address: string, kind: CredentialKind): MaybePromise<unknown>;
  /** Quotas of all limited classes that count for a client, except invalid credentials. Its keys must be valid. */
  quotasOf(client: RateClient): Promise<Quota[]>;
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
  const counterOf = ({ name, subject, id }: Counted) => counters.get(`${name} ${subject} ${id}`, limits[name]);

  function quotaOf({ name, subject }: Counted, { count, endsAt }: Counter): Quota {
    const limit = limits[name];
    const resetSeconds = Math.max(1, Math.ceil((endsAt - now()) / 1_000));
    return { name, countedFor: subject, limit, remaining: Math.max(0, limit - count), resetSeconds };
  }

  function refusal(counted: Counted, counter: Counter): RateLimitError {
    onRefused?.(counted.name);
    return new RateLimitError({ ...quotaOf(counted, counter), remaining: 0 });
  }

  function add(all: ReadonlyArray<readonly [counted: Counted, used: number]>): MaybePromise<Quota | null> {
    const charged: Array<{ counted: Counted; counter: Counter; count: number }> = [];
    let reports: Array<Promise<void>> | undefined;
    for (const [counted, used] of all) {
      const limit = limits[counted.name];
      if (limit === 0) continue;
      // One document may contain more mutations than the limit: it needs a whole window.
      const count = Math.min(used, limit);
      const counter = counterOf(counted);
      if (counter.count + count > limit) throw refusal(counted, counter);
      const report = counters.requiredReport(counter, count);
      if (report) {
        reports ??= [];
        reports.push(report);
      }
      charged.push({ counted, counter, count });
    }
    // Others may have used the rest of the limit.
    if (reports) return Promise.all(reports).then(() => add(all));
    for (const { counter, count } of charged) counters.add(counter, count);
    const [first] = charged;
    return first ? quotaOf(first.counted, first.counter) : null;
  }

  return {
    charge: (client, usage) =>
      add(usage.flatMap(([name, used]) => subjectsOf(client, name).map((counted) => [counted, used] as const))),
    assertMayTry(address, kind) {
      if (limits.credential === 0) return;
      const counted = credentialsOf(address, kind);
      const counter = counterOf(counted);
      if (counter.count >= limits.credential) throw refusal(counted, counter);
    },
    chargeInvalidCredential: (address, kind) => add([[credentialsOf(address, kind), 1]]),
    async quotasOf(client) {
      const found = RATE_CLASSES.filter((name) => name !== 'apiKey' && name !== 'credential')
        .flatMap((name) => subjectsOf(client, name))
        .filter(({ name }) => limits[name] > 0)
        .map((counted) => ({ counted, counter: counterOf(counted) }));
      await counters.update(found.map(({ counter }) => counter));
      return found.map(({ counted, counter }) => quotaOf(counted, counter));
    },
  };
}

/** What an operation counts for, and in which class. */
interface Counted {
  name: RateClass;
  subject: RateSubject;
  id: string;
}

function subjectsOf({ user, address, apiKey, serverKey }: RateClient, name: RateClass): Counted[] {
  if (user && !WITHOUT_USER.has(name)) return [{ name, subject: 'user', id: `${user.networkId} ${user.userId}` }];
  const subjects: Counted[] = [{ name, subject: 'address', id: clientKeyOf(address) }];
  if (name === 'mint' && serverKey) subjects.push({ name, subject: 'serverKey', id: hashOf(serverKey) });
  if (name === 'signIn' && apiKey) subjects.push({ name: 'apiKey', subject: 'apiKey', id: hashOf(apiKey) });
  return subjects;
}

/** Apart by kind: clients that repeat an old token keep nobody behind their address from signing in. */
function credentialsOf(address: string, kind: CredentialKind): Counted {
  return { name: 'credential', subject: 'address', id: `${kind} ${clientKeyOf(address)}` };
}

/** Hashed, because keys of any length are stored before they are verified. */
const hashOf = (key: string) => createHash('sha256').update(key).digest('base64');
