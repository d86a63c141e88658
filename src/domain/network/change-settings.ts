import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, UpdateFilter } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { NetworkRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type ReadableSettings, readableSettings } from './readable-settings.ts';
import { type SettingChanges, valueAt } from './setting-names.ts';

export interface SettingsChange {
  networkId: string;
  /** New values by the names of `SETTING_NAMES`. */
  changes: SettingChanges;
  /** Checks the right to change them in the transaction: the viewer may have lost it since the caller checked it. */
  authorize: (session: ClientSession) => Promise<unknown>;
}

/** Longest value, as JSON text, that the audit log contains; of longer ones only the name is recorded. */
const MAX_AUDITED_LENGTH = 1_000;

/**
 * Writes settings of a network, with an entry of the audit log that contains the earlier and the new values. Settings
 * that have their new value already are not written. Every process applies a change within two seconds, this one
 * immediately.
 *
 * @returns all settings after the change
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED
 */
export async function changeSettings(
  context: Context,
  { networkId, changes, authorize }: SettingsChange,
): Promise<ReadableSettings> {
  const { networks } = context.store.collections;
  const settings = await context.transaction(
    async (session) => {
      await authorize(session);
      const network = await networks.findOne({ networkId }, { session });
      if (!network) throw notFound('Network');
      const before = readableSettings(network);
      const names = Object.keys(changes).filter((name) => !isDeepStrictEqual(valueAt(before, name), changes[name]));
      if (names.length === 0) return before;
      const $set = Object.fromEntries(names.map((name) => [pathOf(name), changes[name]]));
      const update = { $set: { ...$set, updatedAt: context.now() } } as UpdateFilter<NetworkRecord>;
      const changed = await networks.findOneAndUpdate({ networkId }, update, { session, returnDocument: 'after' });
      const after = readableSettings(changed!);
      const details = {
        settings: names.map((name) => ({
          name,
          ...auditable('before', valueAt(before, name)),
          ...auditable('value', valueAt(after, name)),
        })),
      };
      await recordAudit(context, session, [{ subjectType: 'network', subjectId: networkId, details }], { networkId });
      return after;
    },
    { key: `record ${networkId} network settings` },
  );
  await context.afterCommit(() => context.store.networkCache.invalidate(networkId));
  return settings;
}

/** The path of a setting in the record of the network. */
function pathOf(name: string): string {
  return name === 'createsUnknownUsers' ? name : `settings.${name}`;
}

function auditable(key: 'before' | 'value', value: unknown): object {
  return JSON.stringify(value).length <= MAX_AUDITED_LENGTH ? { [key]: value } : {};
}
