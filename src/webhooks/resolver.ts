import { promises as dns, lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { createSemaphore } from '../lib/semaphore.ts';
import type { Resolve } from './address-guard.ts';

export interface ResolverOptions {
  /** @default those of this machine */
  servers?: readonly string[];
  /** Timeout of a server's first answer; twice as long on the second try. @default 1_500 */
  timeoutMs?: number;
}

const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Error codes for a name that is unknown to the DNS or has no address, and for a machine without DNS. */
const NO_ADDRESS = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Resolves names; concurrent requests for one name share a lookup. DNS queries do not use the threads of libuv's pool,
 * which a name server that never answers would block; the pool serves only names that this machine resolves locally.
 */
export function createResolver({ servers, timeoutMs = TIMEOUT_MS }: ResolverOptions = {}): Resolve {
  const lookups = new Map<string, Promise<LookupAddress[]>>();
  // The local lookup of a name that the DNS does not know may block a thread, too, so one runs at a time.
  const runAlone = createSemaphore(1);

  async function resolve(host: string): Promise<LookupAddress[]> {
    // A name from the hosts file, or one that the system completes with its search domains.
    if (!host.includes('.')) return lookUp(host);
    // A new resolver each time, since the machine's servers may have changed.
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    const failed = [four, six].flatMap((one) =>
      one.status === 'rejected' ? [one.reason as NodeJS.ErrnoException] : [],
    );
    const failure = failed.find(({ code }) => !NO_ADDRESS.has(code));
    if (failure) throw failure;
    return runAlone(() => lookUp(host));
  }

  return (host) => {
    const known = lookups.get(host);
    if (known) return known;
    const found = resolve(host).finally(() => lookups.delete(host));
    lookups.set(host, found);
    return found;
  };
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** Resolves a name with the resolver of the system. */
function lookUp(host: string): Promise<LookupAddress[]> {
  return new Promise((found, failed) => {
    dnsLookup(host, { all: true }, (error, addresses) => (error ? failed(error) : found(addresses)));
  });
}
