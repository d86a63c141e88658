import type { Context } from '../../context.ts';
import { isPromise } from '../../lib/maybe-promise.ts';
import type { Usage } from './operation-usage.ts';
import { type Quota, RateLimitError, type RateLimits } from './rate-limits.ts';

/** The client of a WebSocket, or a request, which keeps the quota for the headers of its answer. */
export interface Peer {
  readonly ip: string;
  quota?: Quota | null;
}

/** Counts an operation for the client of a request or WebSocket, and rarely waits. @throws {RateLimitError} */
export type Charge = (
  peer: Peer,
  context: Pick<Context, 'viewer'> & Partial<Pick<Context, 'credentials'>>,
  usage: Usage,
) => Promise<void>;

const NO_KEYS = { apiKey: null, serverKey: null };

export function createCharge(limits: RateLimits): Charge {
  return async (peer, { viewer, credentials }, usage) => {
    const client = { user: viewer, address: peer.ip, ...NO_KEYS, ...credentials };
    try {
      const counting = limits.charge(client, usage);
      const quota = isPromise(counting) ? await counting : counting;
      if (peer.quota !== undefined) peer.quota = quota;
    } catch (error) {
      if (error instanceof RateLimitError && peer.quota !== undefined) peer.quota = error.quota;
      throw error;
    }
  };
}
