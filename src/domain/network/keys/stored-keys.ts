import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { NetworkKeyRecord, NetworkRecord } from '../../../store/records/user.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { keysOf, MAX_KEYS, withinLimit } from './network-keys.ts';

/** The keys of a network, oldest first. @throws {OperationError} NOT_FOUND */
export async function storedKeys({ store }: Context, networkId: string): Promise<NetworkKeyRecord[]> {
  const network = await store.collections.networks.findOne({ networkId });
  if (!network) throw notFound('Network');
  return keysOf(network);
}

export interface KeyChange {
  keys: NetworkKeyRecord[];
  changed: NetworkKeyRecord;
  /** Added to the entry of the audit log. */
  details?: object;
}

export type ChangeKeys = (keys: readonly NetworkKeyRecord[], network: NetworkRecord) => KeyChange;

interface StoredKeysChange {
  /** Checks the right to change keys in the transaction. */
  authorize: (session: ClientSession) => Promise<void>;
  change: ChangeKeys;
}

/** Changes the keys of a network in one transaction. @returns the changed key */
export function changeStoredKeys(
  context: Context,
  networkId: string,
  { authorize, change }: StoredKeysChange,
): Promise<NetworkKeyRecord> {
  const { networks } = context.store.collections;
  return context.transaction(
    async (session) => {
      const now = context.now();
      await authorize(session);
      const network = await networks.findOne({ networkId }, { session });
      if (!network) throw notFound('Network');
      const { keys, changed, details: more } = change(keysOf(network), network);
      const stored = withinLimit(keys, network.retiredHashes ?? [], now);
      if (stored.keys.length > MAX_KEYS)
        throw new OperationError('BAD_REQUEST', { message: `At most ${MAX_KEYS} keys.` });
      await networks.updateOne({ networkId }, { $set: { ...stored, updatedAt: now } }, { session });
      const { keyId, kind, name, expiresAt } = changed;
      const details = { keyId, kind, name, ...(expiresAt && { expiresAt: expiresAt.toISOString() }), ...more };
      await recordAudit(context, session, [{ subjectType: 'network', subjectId: networkId, details }], { networkId });
      return changed;
    },
    { key: `record ${networkId} network keys` },
  );
}
