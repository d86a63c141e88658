import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { NetworkSettings } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';

/**
 * Writes settings of the viewer's network. The caller has authorized the change. Every process applies it within two
 * seconds, this one immediately.
 * @param changes values by their paths below `settings`
 * @returns all settings after the change
 */
export async function changeSettings(
  context: Context,
  changes: { readonly [path: string]: unknown },
): Promise<NetworkSettings> {
  const { networkId } = viewerOf(context);
  const entries = Object.entries(changes).map(([path, value]) => [`settings.${path}`, value]);
  const $set = { ...Object.fromEntries(entries), updatedAt: context.now() };
  const network = await context.transaction(async (session) => {
    const { networks } = context.store.collections;
    const changed = await networks.findOneAndUpdate({ networkId }, { $set }, { session, returnDocument: 'after' });
    const settings = Object.entries(changes).map(([name, value]) => ({ name, ...(isSmall(value) && { value }) }));
    await recordAudit(context, session, [{ subjectType: 'network', subjectId: networkId, details: { settings } }]);
    return changed;
  });
  context.store.networkCache.invalidate(networkId);
  if (!network) throw notFound('Network');
  return network.settings;
}

/** Whether the audit log contains the value beside its name. */
function isSmall(value: unknown): boolean {
  return typeof value !== 'object' && String(value).length <= 200;
}
