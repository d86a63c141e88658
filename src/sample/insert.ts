import type { Collection, Document, Filter, OptionalUnlessRequiredId } from 'mongodb';
import type { CollectionName, Collections } from '../store/collections.ts';
import type { RoleRecord } from '../store/records/user.ts';
import { entriesOf } from '../store/search/entries.ts';
import { buildSampleNetwork, type SampleNetworkOptions } from './sample-network.ts';

const BATCH = 500;

/**
 * Inserts the sample into a network, except the network's own record, which the gateway creates. Users are inserted
 * last: a network with users is left unchanged, and an interrupted call is completed by the next.
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
  for (const [name, records] of Object.entries({ ...others, users })) {
    await insertMissing(collections.searchEntries, entriesOf(name, records));
  }
  for (const [name, records] of Object.entries(others)) {
    await insertMissing(collections[name as CollectionName] as unknown as Collection<Document>, records);
  }
  await insertMissing(collections.users, users);
  return true;
}

/** Inserts the roles whose role ids do not exist in the network yet. */
export async function insertMissingRoles(collections: Collections, roles: RoleRecord[]): Promise<void> {
  const [first] = roles;
  if (!first) return;
  const known = (await collections.roles.find({ networkId: first.networkId }).toArray()).map((role) => role.roleId);
  await insertMissing(
    collections.roles,
    roles.filter((role) => !known.includes(role.roleId)),
  );
}

/** Inserts the records whose internal ids do not exist in the collection yet. */
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
