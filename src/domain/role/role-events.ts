import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { RoleRecord } from '../../store/records/user.ts';

/** An event about a role. */
export function roleEvent(
  type: NameOf<'role'>,
  { networkId, roleId }: Pick<RoleRecord, 'networkId' | 'roleId'>,
): NewEvent {
  return { type, path: `${networkId}/role/${roleId}`, data: { roleId } };
}
