import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkKeyKind, NetworkRecord } from '../../store/records/user.ts';
import { hashKey, isValidKey, validKeys } from './keys/network-keys.ts';

/** The network of the request's API key. @throws {OperationError} UNAUTHORIZED for a missing, wrong or expired key */
export async function networkOfApiKey(context: Context): Promise<NetworkRecord> {
  const network = await networkOfKey(context, 'api');
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-API-Key is required.' });
  return network;
}

/** The network of the request's server key. @throws {OperationError} UNAUTHORIZED for a missing, wrong or expired key */
export async function networkOfServerKey(context: KeyContext): Promise<NetworkRecord> {
  const network = await networkOfKey(context, 'server');
  if (!network) throw new OperationError('UNAUTHORIZED', { message: 'A valid X-Server-Key is required.' });
  return network;
}

/** The network of an operation that no key authorizes. @throws {OperationError} UNAVAILABLE before it is created */
export async function networkOfId({ store }: Pick<Context, 'store'>, networkId: string): Promise<NetworkRecord> {
  const network = await store.collections.networks.findOne({ networkId });
  if (!network) throw new OperationError('UNAVAILABLE');
  return network;
}

export type KeyContext = Pick<Context, 'credentials' | 'store' | 'now' | 'rateLimits' | 'origin'>;

/** In one command. A key of the other kind names no network. Notes that a key was used; invalid keys count for the address of the client. */
async function networkOfKey(context: KeyContext, kind: NetworkKeyKind): Promise<NetworkRecord | null> {
  const { store, now, credentials, origin } = context;
  const name = kind === 'api' ? 'apiKey' : 'serverKey';
  const key = credentials[name];
  if (!key) return null;
  if (origin.address !== null) context.rateLimits?.assertMayTry(origin.address, name);
  const hash = hashKey(key);
  const configured = kind === 'api' ? { apiKeyHash: hash } : { serverKeyHash: hash };
  const network = await store.collections.networks.findOne({ $or: [{ 'keys.hash': hash }, configured] });
  const at = now();
  const used = network && validKeys(network, kind, at).find((valid) => valid.hash === hash);
  if (used) {
    store.keyUses.note({ networkId: network.networkId, keyId: used.keyId, at });
    return network;
  }
  if (origin.address !== null) await context.rateLimits?.chargeInvalidCredential(origin.address, name);
  return null;
}

/**
 * Whether the request carries a valid server key of the network. Invalid keys count for the address of the client.
 * @throws {OperationError} RATE_LIMITED
 */
export async function holdsServerKey(context: Context, network: NetworkRecord): Promise<boolean> {
  const { serverKey } = context.credentials;
  if (serverKey === null) return false;
  const { address } = context.origin;
  if (address !== null) context.rateLimits?.assertMayTry(address, 'serverKey');
  const isValid = isValidKey(network, { kind: 'server', key: serverKey, now: context.now() });
  if (!isValid && address !== null) await context.rateLimits?.chargeInvalidCredential(address, 'serverKey');
  return isValid;
}
