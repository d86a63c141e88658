import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkRecord } from '../../store/records/user.ts';

/** The stored form of a key: SHA-256, so that a leaked copy of the database contains no usable key. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** The network of the request's API key. @throws {OperationError} UNAUTHORIZED for a missing or wrong key */
export async function networkOfApiKey(context: Context): Promise<NetworkRecord> {
  const { apiKey } = context.credentials;
  const network = apiKey ? await context.store.collections.networks.findOne({ apiKeyHash: hashKey(apiKey) }) : null;
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-API-Key is required.' });
  return network;
}

/** The network of the request's server key. @throws {OperationError} UNAUTHORIZED for a missing or wrong key */
export async function networkOfServerKey({
  credentials: { serverKey },
  store,
}: Pick<Context, 'credentials' | 'store'>): Promise<NetworkRecord> {
  const { networks } = store.collections;
  const network = serverKey ? await networks.findOne({ serverKeyHash: hashKey(serverKey) }) : null;
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-Server-Key is required.' });
  return network;
}

/** Whether the request carries the network's server key. */
export function holdsServerKey(context: Context, network: NetworkRecord): boolean {
  const { serverKey } = context.credentials;
  if (!serverKey) return false;
  return timingSafeEqual(Buffer.from(hashKey(serverKey), 'hex'), Buffer.from(network.serverKeyHash, 'hex'));
}
