import type { Collection, Document, Filter, OptionalUnlessRequiredId } from 'mongodb';
import type { CollectionName, Collections } from '../store/collections.ts';
import type { RoleRecord } from '../store/records/user.ts';
import { buildSampleNetwork, type SampleNetworkOptions } from './sample-network.ts';

const BATCH = 500;

/**
 * Fills a network with the sample. Does nothing when the network already has users, and completes what an earlier,
 * interrupted call began: users go in last. The network's own record is the gateway's, not the sample's.
 *
 * @returns whether anything was inserted
 */
export async function insertSampleNetwork(
  options: SampleNetworkOptions & { collections: Collections },
): Promise<boolean> {
  const { collections, networkId } = options;
  if (await collections.users.findOne({ networkId }, { projection: { _id: 1 } })) return false;
  const { users, roles, ...others } = buildSampleNetwork(options);
  await insertMissingRoles(collections, roles);
  for (const [name, records] of Object.entries(others)) {
    await insertMissing(collections[name as CollectionName] as unknown as Collection<Document>, records);
  }
  await insertMissing(collections.users, users);
  return true;
}

/** Inserts those of one network's roles whose id the network does not have yet, under whatever internal id. */
export async function insertMissingRoles(collections: Collections, roles: RoleRecord[]): Promise<void> {
  const [first] = roles;
  if (!first) return;
  const known = (await collections.roles.find({ networkId: first.networkId }).toArray()).map((role) => role.roleId);
  await insertMissing(
    collections.roles,
    roles.filter((role) => !known.includes(role.roleId)),
  );
}

/** Inserts those records whose internal id the collection does not hold yet. */
async function insertMissing<Stored extends Document>(
  collection: Collection<Stored>,
  records: readonly Stored[],
): Promise<void> {
  const filter = { _id: { $in: records.map((record) => record._id) } } as unknown as Filter<Stored>;
  const present = await collection.find(filter, { projection: { _id: 1 } }).toArray();
  const known = new Set(present.map((record) => String(record._id)));
  const missing = records.filter((record) => !known.has(String(record._id)));
  for (let from = 0; from < missing.length; from += BATCH) {
    await collection.insertMany(missing.slice(from, from + BATCH) as OptionalUnlessRequiredId<Stored>[]);
  }
}
