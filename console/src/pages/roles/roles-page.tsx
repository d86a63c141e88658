import { RolesDocument, type RolesQuery, UpdateRoleDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';

export type Role = RolesQuery['roles']['edges'][number]['node'];

/** Roles as columns and permissions as rows. */
export function RolesPage() {
  const query = useQuery(RolesDocument, {});
  return (
    <Page
      title="Roles and permissions"
      about="A change is saved immediately and applies to all users who hold the role."
    >
      <QueryView query={query}>
        {({ roles }) => <Matrix roles={byRank(roles.edges.map(({ node }) => node))} onDone={query.reload} />}
      </QueryView>
    </Page>
  );
}

/** Highest rank first. */
function byRank(roles: readonly Role[]): Role[] {
  return roles.toSorted((one, other) => other.rank - one.rank);
}

function Matrix({ roles, onDone }: { roles: Role[]; onDone(): void }) {
  const permissions = [...new Set(roles.flatMap((role) => role.permissions))].sort();
  const { isRunning, run } = useAction();
  async function toggle({ roleId, ...role }: Role, permission: string): Promise<void> {
    const without = role.permissions.filter((one) => one !== permission);
    const changed = without.length < role.permissions.length ? without : [...without, permission];
    const input = { roleId, permissions: changed };
    if (await run(() => execute(UpdateRoleDocument, { input }), 'The role is saved.')) onDone();
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-box matrix-box" tabIndex={0} aria-label="Permissions by role">
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map(({ id, displayName, rank }) => (
              <th key={id} scope="col">
                {displayName}
                <br />
                <span className="muted">rank {rank}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <tr key={permission}>
              <th scope="row">{permission}</th>
              {roles.map((role) => (
                <td key={role.id}>
                  <input
                    type="checkbox"
                    aria-label={`${role.displayName}: ${permission}`}
                    checked={role.permissions.includes(permission)}
                    disabled={isRunning || !role.viewerCanEdit || role.roleId === 'global-admin'}
                    onChange={() => void toggle(role, permission)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
