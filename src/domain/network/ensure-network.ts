import { type ClientSession, MongoServerError, ObjectId } from 'mongodb';
import { type Config, ConfigError } from '../../config.ts';
import { keysPath } from '../../lib/keys-path.ts';
import type { NetworkRecord, NetworkSettings } from '../../store/records/user.ts';
import type { Store } from '../../store/store.ts';
import { ensureDefaultRoles } from '../role/ensure-default-roles.ts';
import { hashKey, keysOf, withConfiguredKeys } from './keys/network-keys.ts';

/** The keys of the network, from the settings or generated. */
export interface ConfiguredKeys {
  API_KEY: string;
  SERVER_KEY: string;
}

/** Settings of a new network. Published clients read them at login, see `docs/interface.md#network-settings`. */
const DEFAULT_SETTINGS: NetworkSettings = {
  chat: {
    enabled: true,
    mention: { isAllowMentionedUsers: true, isAllowMentionAll: true },
    messagePreview: { enabled: true, isIncludeDeleted: false },
    marker: { enabled: true },
  },
  social: {
    enabled: true,
    isAllowEditPostWhenReviewingEnabled: false,
    globalFeed: { showMyPost: true, showEveryonePost: false, showCommunityPost: true, showFollowingPost: true },
    userPrivacySetting: 'public',
  },
  webhook: { enabled: true },
};

/**
 * Creates the configured network with its default roles, or updates its keys and mode. Idempotent and safe to run
 * concurrently. Writes only what has changed, so that a gateway can start and serve reads while its database rejects
 * writes.
 *
 * @param options.onWarning called with a message about a configured key that has expired
 * @returns the settings whose key is refused
 * @throws {ConfigError} when a key belongs to another network of the database
 */
export async function ensureNetwork(
  store: Store,
  config: Config,
  keys: ConfiguredKeys,
  now: Date,
  { onWarning = () => undefined }: { onWarning?: (message: string) => void } = {},
): Promise<KeySetting[]> {
  const { NETWORK_ID: networkId } = config;
  const hashes = hashesOf(keys);
  await retryOnDuplicate(async () => {
    const known = await store.collections.networks.findOne({ networkId });
    if (known && isUpToDate(known, config, hashes, now)) return;
    await requireOwnKeys(store, networkId, hashes);
    await store.transaction((session) => writeNetwork(store, session, { config, hashes, now }));
  });
  await retryOnDuplicate(() => ensureDefaultRoles(store, networkId, now));
  return warnOfExpiredKeys(store, config, { hashes, now, onWarning });
}

export type KeySetting = 'API_KEY' | 'SERVER_KEY';

type Hashes = Pick<NetworkRecord, 'apiKeyHash' | 'serverKeyHash'>;

function isUpToDate(known: NetworkRecord, { SECURE_MODE }: Config, hashes: Hashes, now: Date): boolean {
  const hasConfiguredKeys = known.apiKeyHash === hashes.apiKeyHash && known.serverKeyHash === hashes.serverKeyHash;
  const isUnchanged = withConfiguredKeys(known, hashes, now).keys.length === known.keys?.length;
  return hasConfiguredKeys && isUnchanged && (SECURE_MODE === undefined || SECURE_MODE === known.secureMode);
}

async function writeNetwork(
  { collections: { networks } }: Store,
  session: ClientSession,
  { config, hashes, now }: { config: Config; hashes: Hashes; now: Date },
): Promise<void> {
  const { NETWORK_ID: networkId, SECURE_MODE } = config;
  const known = await networks.findOne({ networkId }, { session });
  const current = {
    ...hashes,
    ...withConfiguredKeys(known, hashes, now),
    ...(SECURE_MODE !== undefined && { secureMode: SECURE_MODE }),
  };
  if (known) {
    await networks.updateOne({ networkId }, { $set: { ...current, updatedAt: now } }, { session });
    return;
  }
  const network: NetworkRecord = {
    _id: new ObjectId(),
    networkId,
    displayName: networkId,
    secureMode: false,
    createsUnknownUsers: true,
    settings: DEFAULT_SETTINGS,
    ...current,
    createdAt: now,
    updatedAt: now,
  };
  await networks.insertOne(network, { session });
}

/**
 * A start with an expired key does not make it valid again: its holders may be the reason why it was retired.
 * @returns the settings whose key is refused
 */
async function warnOfExpiredKeys(
  store: Store,
  config: Config,
  { hashes, now, onWarning }: { hashes: Hashes; now: Date; onWarning: (message: string) => void },
): Promise<KeySetting[]> {
  const { NETWORK_ID: networkId } = config;
  const refused: KeySetting[] = [];
  const network = await store.collections.networks.findOne({ networkId });
  for (const [setting, hash] of [
    ['API_KEY', hashes.apiKeyHash],
    ['SERVER_KEY', hashes.serverKeyHash],
  ] as const) {
    const key = network && keysOf(network).find((one) => one.hash === hash);
    const isGenerated = config[setting] === undefined;
    const place = isGenerated ? `${setting} in ${keysPath(config.DATA_DIR)}` : `${setting} is set to a key that`;
    const remedy = isGenerated ? 'write a current or a new key there, and start again' : 'set a current key';
    if (network?.retiredHashes?.includes(hash)) {
      refused.push(setting);
      onWarning(`${place} was retired and is refused: ${remedy}`);
    }
    if (!key?.expiresAt) continue;
    const end = key.expiresAt.toISOString();
    if (key.expiresAt > now) {
      onWarning(`${place} is accepted only until ${end}: ${isGenerated ? 'write' : 'set'} its successor before`);
    } else {
      refused.push(setting);
      onWarning(`${place} was retired at ${end} and is refused: ${remedy}`);
    }
  }
  return refused;
}

/** @throws {ConfigError} when a key belongs to another network of the database */
export function checkNetworkKeys(store: Store, { NETWORK_ID }: Config, keys: ConfiguredKeys): Promise<void> {
  return requireOwnKeys(store, NETWORK_ID, hashesOf(keys));
}

function hashesOf({ API_KEY, SERVER_KEY }: ConfiguredKeys): Hashes {
  return { apiKeyHash: hashKey(API_KEY), serverKeyHash: hashKey(SERVER_KEY) };
}

/** @throws {ConfigError} when a key belongs to another network of the database */
async function requireOwnKeys(store: Store, networkId: string, hashes: Hashes): Promise<void> {
  for (const [setting, configured] of [
    ['API_KEY', { apiKeyHash: hashes.apiKeyHash }],
    ['SERVER_KEY', { serverKeyHash: hashes.serverKeyHash }],
  ] as const) {
    const [hash] = Object.values(configured);
    const other = await store.collections.networks.findOne({
      networkId: { $ne: networkId },
      $or: [configured, { 'keys.hash': hash }],
    });
    if (!other) continue;
    throw new ConfigError(
      `${setting}: this key belongs to network '${other.networkId}' of the same database; keys are unique per network. ` +
        `Set another ${setting} for network '${networkId}', or NETWORK_ID=${other.networkId} to serve that network.`,
    );
  }
}

/** Retries once if another process creates the same record concurrently; the retry then finds that record. */
async function retryOnDuplicate(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error;
    await work();
  }
}

const DUPLICATE_KEY = 11_000;
