import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
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

/** Counts an invalid token for the address of a client. @throws the error; {@link RateLimitError} beyond the limit */
export type RefuseToken = (peer: Peer, error: unknown) => Promise<never>;

const NO_KEYS = { apiKey: null, serverKey: null };

export function createCharge(limits: RateLimits): Charge {
  return (peer, { viewer, credentials }, usage) =>
    keepQuota(peer, async () => {
      const client = { user: viewer, address: peer.ip, ...NO_KEYS, ...credentials };
      // With a session few operations read a key; those check it when they do.
      if (!viewer && client.apiKey) limits.assertMayTry(peer.ip, 'apiKey');
      if (!viewer && client.serverKey) limits.assertMayTry(peer.ip, 'serverKey');
      const quota = await limits.charge(client, usage);
      if (peer.quota !== undefined) peer.quota = quota;
    });
}

export function createRefuseToken(limits: RateLimits): RefuseToken {
  return async (peer, error) => {
    if (error instanceof OperationError && error.errorName === 'UNAUTHORIZED') {
      await keepQuota(peer, async () => limits.chargeInvalidCredential(peer.ip, 'token'));
    }
    throw error;
  };
}

/** Keeps the quota of a refusal for the headers of the answer. */
async function keepQuota<Result>(peer: Peer, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RateLimitError && peer.quota !== undefined) peer.quota = error.quota;
    throw error;
  }
}
