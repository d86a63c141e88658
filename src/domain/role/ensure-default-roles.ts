import { ObjectId } from 'mongodb';
import { DEFAULT_ROLES } from '../../access/permissions.ts';
import type { Store } from '../../store/store.ts';

/** Creates the default roles that a network lacks. Existing ones stay as they are, changed or deleted ones included. */
export async function ensureDefaultRoles(store: Store, networkId: string, now: Date): Promise<void> {
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
