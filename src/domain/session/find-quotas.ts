import type { Context } from '../../context.ts';
import type { Quota } from '../../limits/rates/rate-limits.ts';
import { networkOfApiKey, networkOfServerKey } from '../network/find-network.ts';

/**
 * The rate limits that count operations of the caller. Keys are verified: the quota of a key would reveal that it is valid.
 * @throws {OperationError} UNAUTHORIZED for an invalid key
 */
export async function findQuotas(context: Context): Promise<Quota[]> {
  const { viewer, origin, credentials, rateLimits } = context;
  if (!rateLimits || origin.address === null) return [];
  if (credentials.apiKey) await networkOfApiKey(context);
  if (credentials.serverKey) await networkOfServerKey(context);
  return rateLimits.quotasOf({ user: viewer, address: origin.address, ...credentials });
}
