import type { Context } from '../../src/context.ts';
import { permissionsFrom } from '../../src/store/role-book.ts';

/** What the roles of a member, user or session give now; lists read records as they were written. */
export function permissionsOf(
  context: Context,
  { networkId, roles }: { networkId: string; roles: readonly string[] },
): Promise<string[]> | string[] {
  if (roles.length === 0) return [];
  return context.store.roleBook.of(networkId).then((book) => permissionsFrom(book, roles));
}
