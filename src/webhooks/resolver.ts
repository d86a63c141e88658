import { promises as dns, lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { createSemaphore } from '../lib/semaphore.ts';
import type { Resolve } from './address-guard.ts';

export interface ResolverOptions {
  /** @default those of this machine */
  servers?: readonly string[];
  /** How long each server is waited for at first; the second time twice as long. @default 1_500 */
  timeoutMs?: number;
}

const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** There is no such name in the DNS, it has no address there, or there is no DNS. */
const NOT_THERE = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Looks names up, each once at a time, however many ask. The DNS is asked without the process's few threads, which a
 * name server that never answers would keep from everybody else; they serve names that this machine alone knows.
 */
export function createResolver({ servers, timeoutMs = TIMEOUT_MS }: ResolverOptions = {}): Resolve {
  const asking = new Map<string, Promise<LookupAddress[]>>();
  // A name that the DNS does not know may keep a thread, too.
  const takeTurn = createSemaphore(1);

  async function ask(host: string): Promise<LookupAddress[]> {
    // Of the hosts file, or to be completed as the system is told to.
    if (!host.includes('.')) return lookUp(host);
    // A new one each time: the machine's servers may have changed.
    const resolver = new dns.Resolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length > 0) return found;
    const failed = [four, six].flatMap((one) =>
      one.status === 'rejected' ? [one.reason as NodeJS.ErrnoException] : [],
    );
    const inTheWay = failed.find(({ code }) => !NOT_THERE.has(code));
    if (inTheWay) throw inTheWay;
    return takeTurn(() => lookUp(host));
  }

  return (host) => {
    const known = asking.get(host);
    if (known) return known;
    const found = ask(host).finally(() => asking.delete(host));
    asking.set(host, found);
    return found;
  };
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** As the system's resolver finds them. */
function lookUp(host: string): Promise<LookupAddress[]> {
  return new Promise((found, failed) => {
    dnsLookup(host, { all: true }, (error, addresses) => (error ? failed(error) : found(addresses)));
  });
}
