import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkKeyKind, NetworkRecord } from '../../store/records/user.ts';
import { hashKey, isValidKey, validKeys } from './keys/network-keys.ts';

/** The network of the request's API key. @throws {OperationError} UNAUTHORIZED for a missing, wrong or expired key */
export async function networkOfApiKey(context: Context): Promise<NetworkRecord> {
  const network = await networkOfKey(context, 'api', context.credentials.apiKey);
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-API-Key is required.' });
  return network;
}

/** The network of the request's server key. @throws {OperationError} UNAUTHORIZED for a missing, wrong or expired key */
export async function networkOfServerKey(
  context: Pick<Context, 'credentials' | 'store' | 'now'>,
): Promise<NetworkRecord> {
  const network = await networkOfKey(context, 'server', context.credentials.serverKey);
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-Server-Key is required.' });
  return network;
}

/** In one command. A key of the other kind names no network. Notes that the key was used. */
async function networkOfKey(
  { store, now }: Pick<Context, 'store' | 'now'>,
  kind: NetworkKeyKind,
  key: string | null,
): Promise<NetworkRecord | null> {
  if (!key) return null;
  const hash = hashKey(key);
  const configured = kind === 'api' ? { apiKeyHash: hash } : { serverKeyHash: hash };
  const network = await store.collections.networks.findOne({ $or: [{ 'keys.hash': hash }, configured] });
  const at = now();
  const used = network && validKeys(network, kind, at).find((valid) => valid.hash === hash);
  if (!used) return null;
  store.keyUses.note({ networkId: network.networkId, keyId: used.keyId, at });
  return network;
}

/** Whether the request carries a valid server key of the network. */
export function holdsServerKey(context: Context, network: NetworkRecord): boolean {
  const { serverKey } = context.credentials;
  return serverKey !== null && isValidKey(network, { kind: 'server', key: serverKey, now: context.now() });
}
