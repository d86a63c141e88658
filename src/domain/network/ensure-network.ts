import { MongoServerError, ObjectId } from 'mongodb';
import { type Config, ConfigError } from '../../config.ts';
import type { Keys } from '../../process/keys.ts';
import type { NetworkRecord, NetworkSettings } from '../../store/records/user.ts';
import type { Store } from '../../store/store.ts';
import { ensureDefaultRoles } from '../role/ensure-default-roles.ts';
import { hashKey } from './find-network.ts';

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

/** Fields that are set from the configuration at every start. */
const CONFIGURED_FIELDS = ['apiKeyHash', 'serverKeyHash', 'secureMode'] as const;

/**
 * Creates the configured network with its default roles, or updates its keys and mode. Idempotent and safe to run
 * concurrently. Writes only changed fields, so that a gateway can start and serve reads while its database rejects
 * writes.
 *
 * @throws {ConfigError} when a key belongs to another network of the database
 */
export async function ensureNetwork(store: Store, config: Config, keys: Keys, now: Date): Promise<void> {
  const current: Pick<NetworkRecord, (typeof CONFIGURED_FIELDS)[number]> = {
    ...hashesOf(keys),
    secureMode: config.SECURE_MODE ?? false,
  };
  const initial: Omit<NetworkRecord, keyof typeof current | 'networkId' | 'updatedAt'> = {
    _id: new ObjectId(),
    displayName: config.NETWORK_ID,
    createsUnknownUsers: true,
    settings: DEFAULT_SETTINGS,
    createdAt: now,
  };
  const { networks } = store.collections;
  const { NETWORK_ID: networkId } = config;
  await retryOnDuplicate(async () => {
    const known = await networks.findOne({ networkId });
    if (known && CONFIGURED_FIELDS.every((name) => known[name] === current[name])) return;
    await requireOwnKeys(store, networkId, current);
    const update = { $set: { ...current, updatedAt: now }, $setOnInsert: initial };
    await networks.updateOne({ networkId }, update, { upsert: true });
  });
  await retryOnDuplicate(() => ensureDefaultRoles(store, networkId, now));
}

/** @throws {ConfigError} when a key belongs to another network of the database */
export function checkNetworkKeys(store: Store, { NETWORK_ID }: Config, keys: Keys): Promise<void> {
  return requireOwnKeys(store, NETWORK_ID, hashesOf(keys));
}

function hashesOf({ API_KEY, SERVER_KEY }: Keys): Pick<NetworkRecord, 'apiKeyHash' | 'serverKeyHash'> {
  return { apiKeyHash: hashKey(API_KEY), serverKeyHash: hashKey(SERVER_KEY) };
}

/** @throws {ConfigError} when a key belongs to another network of the database */
async function requireOwnKeys(
  store: Store,
  networkId: string,
  { apiKeyHash, serverKeyHash }: Pick<NetworkRecord, 'apiKeyHash' | 'serverKeyHash'>,
): Promise<void> {
  for (const [setting, hash] of [
    ['API_KEY', { apiKeyHash }],
    ['SERVER_KEY', { serverKeyHash }],
  ] as const) {
    const other = await store.collections.networks.findOne({ ...hash, networkId: { $ne: networkId } });
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
