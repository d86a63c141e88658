import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkRecord } from '../../store/records/user.ts';

/** Keys are stored as SHA-256: a copy of the database opens no door. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** The network that an API key names. @throws {OperationError} UNAUTHORIZED for no key or a wrong one */
export async function networkOfApiKey(context: Context): Promise<NetworkRecord> {
  const { apiKey } = context.credentials;
  const network = apiKey ? await context.store.collections.networks.findOne({ apiKeyHash: hashKey(apiKey) }) : null;
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-API-Key is required.' });
  return network;
}

/** The network that a server key names. @throws {OperationError} UNAUTHORIZED for no key or a wrong one */
export async function networkOfServerKey({
  credentials: { serverKey },
  store,
}: Pick<Context, 'credentials' | 'store'>): Promise<NetworkRecord> {
  const { networks } = store.collections;
  const network = serverKey ? await networks.findOne({ serverKeyHash: hashKey(serverKey) }) : null;
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid x-server-key is required.' });
  return network;
}

/** Whether the caller holds the network's server key. */
export function holdsServerKey(context: Context, network: NetworkRecord): boolean {
  const { serverKey } = context.credentials;
  if (!serverKey) return false;
  return timingSafeEqual(Buffer.from(hashKey(serverKey), 'hex'), Buffer.from(network.serverKeyHash, 'hex'));
}
