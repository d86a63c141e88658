import { MongoServerError, ObjectId } from 'mongodb';
import { type Config, ConfigError } from '../../config.ts';
import type { Keys } from '../../process/keys.ts';
import type { NetworkRecord, NetworkSettings } from '../../store/records/user.ts';
import type { Store } from '../../store/store.ts';
import { ensureDefaultRoles } from '../role/ensure-default-roles.ts';
import { hashKey } from './find-network.ts';

/** What the published clients ask for at login (legacy-facts §2.1). */
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
    globalFeed: { showMyPost: true, showEveryonePost: false },
  },
  webhook: { enabled: true },
};

/** What follows the configuration. */
const NAMES = ['apiKeyHash', 'serverKeyHash', 'secureMode'] as const;

/**
 * Creates the configured network with its default roles, or brings its keys and mode up to date. Safe to repeat and to
 * run concurrently.
 * Writes only what differs, so that a gateway whose database takes no writes right now may start and serve reads.
 *
 * @throws {ConfigError} when a key belongs to another network of the database
 */
export async function ensureNetwork(store: Store, config: Config, keys: Keys, now: Date): Promise<void> {
  const current: Pick<NetworkRecord, (typeof NAMES)[number]> = {
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
  await again(async () => {
    const known = await networks.findOne({ networkId });
    if (known && NAMES.every((name) => known[name] === current[name])) return;
    await requireOwnKeys(store, networkId, current);
    const update = { $set: { ...current, updatedAt: now }, $setOnInsert: initial };
    await networks.updateOne({ networkId }, update, { upsert: true });
  });
  await again(() => ensureDefaultRoles(store, networkId, now));
}

/** @throws {ConfigError} when a key belongs to another network of the database */
export function checkNetworkKeys(store: Store, { NETWORK_ID }: Config, keys: Keys): Promise<void> {
  return requireOwnKeys(store, NETWORK_ID, hashesOf(keys));
}

function hashesOf({ API_KEY, SERVER_KEY }: Keys): Pick<NetworkRecord, 'apiKeyHash' | 'serverKeyHash'> {
  return { apiKeyHash: hashKey(API_KEY), serverKeyHash: hashKey(SERVER_KEY) };
}

/** @throws {ConfigError} for a key that names another network of the database already */
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
      `${setting}: this key belongs to network '${other.networkId}' of the same database, and a key names one network alone. ` +
        `Set another ${setting} for network '${networkId}', or NETWORK_ID=${other.networkId} to serve that network.`,
    );
  }
}

/** Repeats what met another process that creates the same at the same moment; it then finds what that one created. */
async function again(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error;
    await work();
  }
}

const DUPLICATE_KEY = 11_000;
