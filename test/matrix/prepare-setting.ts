import type { Actor } from '../../src/access/matrix/row.ts';
import type { Fixtures } from './fixtures.ts';

/**
 * Stores a value that the administrator then changes, because an act that changes nothing has no entry in the audit log.
 * Other actors find the settings as they were, because other cases depend on them.
 */
export async function prepareSetting(
  { gateway }: Fixtures,
  actor: Actor,
  { path, value }: { path: string; value: unknown },
): Promise<void> {
  if (actor !== 'admin') return;
  const { networks } = gateway.services.store.collections;
  await networks.updateOne({ networkId: 'default' }, { $set: { [`settings.${path}`]: value } });
}
