import { createHash, timingSafeEqual } from 'node:crypto';
import type { NetworkKeyKind, NetworkKeyRecord, NetworkRecord } from '../../../store/records/user.ts';

/** Maximum listed keys of a network, expired ones included. */
export const MAX_KEYS = 20;

/** The stored form of a key: SHA-256, so that a leaked copy of the database contains no usable key. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

type Keys = Pick<NetworkRecord, 'apiKeyHash' | 'serverKeyHash' | 'keys' | 'retiredHashes' | 'createdAt'>;

/** The listed keys of a network, expired ones included. Those of a network of an older release are its configured ones. */
export function keysOf({
  apiKeyHash,
  serverKeyHash,
  keys = [],
  retiredHashes = [],
  createdAt,
}: Keys): NetworkKeyRecord[] {
  const isMissing = (hash: string) => !keys.some((key) => key.hash === hash) && !retiredHashes.includes(hash);
  return [
    ...(isMissing(apiKeyHash) ? [configuredKey('api', apiKeyHash, createdAt)] : []),
    ...(isMissing(serverKeyHash) ? [configuredKey('server', serverKeyHash, createdAt)] : []),
    ...keys,
  ];
}

/** The keys of one kind that are accepted now. */
export function validKeys(network: Keys, kind: NetworkKeyKind, now: Date): NetworkKeyRecord[] {
  return keysOf(network).filter((key) => key.kind === kind && !hasExpired(key, now));
}

export function hasExpired({ expiresAt }: Pick<NetworkKeyRecord, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Compares in constant time. */
export function isValidKey(
  network: Keys,
  { kind, key, now }: { kind: NetworkKeyKind; key: string; now: Date },
): boolean {
  const hash = Buffer.from(hashKey(key), 'hex');
  return validKeys(network, kind, now).some((valid) => timingSafeEqual(Buffer.from(valid.hash, 'hex'), hash));
}

/**
 * The keys of a network after a start with these configured keys. A configured key without an end replaces the one that
 * was configured before, as the setting does; one that was given an end keeps it and replaces none. A key that an
 * operation created is never removed: a gateway that still has the earlier setting may start.
 */
export function withConfiguredKeys(
  network: Keys | null,
  hashes: Pick<NetworkRecord, 'apiKeyHash' | 'serverKeyHash'>,
  now: Date,
): StoredKeys {
  const before = network ? keysOf(network) : [];
  const retired = network?.retiredHashes ?? [];
  const configured = { api: hashes.apiKeyHash, server: hashes.serverKeyHash };
  const previous = [network?.apiKeyHash, network?.serverKeyHash];
  const hasEnd = (hash: string) =>
    retired.includes(hash) || before.some((key) => key.hash === hash && key.expiresAt !== null);
  const kept = before.filter(
    ({ keyId, kind, hash, expiresAt }) =>
      hasEnd(configured[kind]) ||
      configured[kind] === hash ||
      expiresAt !== null ||
      keyId !== configuredKeyId(hash) ||
      !previous.includes(hash),
  );
  const added = (['api', 'server'] as const)
    .filter((kind) => !retired.includes(configured[kind]) && !kept.some(({ hash }) => hash === configured[kind]))
    .map((kind) => configuredKey(kind, configured[kind], now));
  return withinLimit([...kept, ...added], retired, now);
}

type StoredKeys = Required<Pick<NetworkRecord, 'keys' | 'retiredHashes'>>;

/** Replaces the keys that expired longest ago by their hashes, until the limit is kept. */
export function withinLimit(
  keys: readonly NetworkKeyRecord[],
  retiredHashes: readonly string[],
  now: Date,
): StoredKeys {
  const expired = keys
    .filter((key) => hasExpired(key, now))
    .sort((one, other) => one.expiresAt!.getTime() - other.expiresAt!.getTime());
  const removed = new Set(expired.slice(0, Math.max(0, keys.length - MAX_KEYS)));
  return {
    keys: keys.filter((key) => !removed.has(key)),
    retiredHashes: [...retiredHashes, ...[...removed].map(({ hash }) => hash)],
  };
}

function configuredKey(kind: NetworkKeyKind, hash: string, createdAt: Date): NetworkKeyRecord {
  const name = kind === 'api' ? 'API_KEY' : 'SERVER_KEY';
  return { keyId: configuredKeyId(hash), kind, name, hash, createdAt, expiresAt: null, createdBy: null };
}

/** Derived from the key, because a network of an older release does not store the record of the key. */
const configuredKeyId = (hash: string): string => hashKey(hash).slice(0, 24);
