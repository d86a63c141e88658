import { ObjectId } from 'mongodb';
import { DEFAULT_ROLES } from '../../access/permissions.ts';
import type { Config } from '../../config.ts';
import type { Keys } from '../../keys.ts';
import type { NetworkRecord, NetworkSettings } from '../../store/records/user.ts';
import type { Store } from '../../store/store.ts';
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
 * Makes the configured network with its default roles, or brings its keys and mode up to date. Safe to repeat and to run at once.
 * Writes only what differs, so that a gateway whose database takes no writes right now may start and serve reads.
 */
export async function ensureNetwork(store: Store, config: Config, keys: Keys, now: Date): Promise<void> {
  const current: Pick<NetworkRecord, (typeof NAMES)[number]> = {
    apiKeyHash: hashKey(keys.API_KEY),
    serverKeyHash: hashKey(keys.SERVER_KEY),
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
  const known = await networks.findOne({ networkId: config.NETWORK_ID });
  if (!known || NAMES.some((name) => known[name] !== current[name])) {
    await networks.updateOne(
      { networkId: config.NETWORK_ID },
      { $set: { ...current, updatedAt: now }, $setOnInsert: initial },
      { upsert: true },
    );
  }
  await ensureDefaultRoles(store, config.NETWORK_ID, now);
}

/** Roles that exist already, also changed or deleted ones, stay as they are. */
async function ensureDefaultRoles(store: Store, networkId: string, now: Date): Promise<void> {
  const { roles } = store.collections;
  const known = new Set((await roles.find({ networkId }).toArray()).map(({ roleId }) => roleId));
  const missing = DEFAULT_ROLES.filter(({ roleId }) => !known.has(roleId));
  if (missing.length === 0) return;
  await roles.bulkWrite(
    missing.map(({ roleId, displayName, rank, permissions }) => ({
      updateOne: {
        filter: { networkId, roleId },
        update: {
          $setOnInsert: {
            _id: new ObjectId(),
            displayName,
            rank,
            permissions,
            isDeleted: false,
            createdAt: now,
            updatedAt: now,
          },
        },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}
