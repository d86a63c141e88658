import { useState } from 'react';
import { AssignableRolesDocument, AssignNetworkRolesDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useAction } from '../../api/use-action.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';

interface RolesOfPersonProps {
  person: { userId: string; roles: string[]; permissions: string[]; viewerCanAssignRoles: boolean };
  onDone(): void;
}

/** The network-wide roles of a user, which viewers who may assign roles change. */
export function RolesOfPerson({ person, onDone }: RolesOfPersonProps) {
  return (
    <Card title="Network-wide roles">
      {person.viewerCanAssignRoles ? (
        <RoleForm key={person.roles.join()} person={person} onDone={onDone} />
      ) : (
        <RoleList person={person} />
      )}
    </Card>
  );
}

function RoleList({ person: { roles, permissions } }: Pick<RolesOfPersonProps, 'person'>) {
  if (roles.length === 0) return <p className="muted">None</p>;
  return (
    <p>
      {roles.map((role) => (
        <Badge key={role}>{role}</Badge>
      ))}
      <span className="muted">{permissions.length} permissions</span>
    </p>
  );
}

function RoleForm({ person: { userId, roles }, onDone }: RolesOfPersonProps) {
  const query = useQuery(AssignableRolesDocument, {});
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(roles));
  const { isRunning, run } = useAction();
  function toggle(roleId: string): void {
    const next = new Set(chosen);
    if (!next.delete(roleId)) next.add(roleId);
    setChosen(next);
  }
  async function save(): Promise<void> {
    const input = { userId, roleIds: [...chosen] };
    if (await run(() => execute(AssignNetworkRolesDocument, { input }), 'The roles are saved.')) onDone();
  }
  return (
    <QueryView query={query}>
      {({ roles: { edges } }) => (
        <div className="form">
          {edges.map(({ node }) => (
            <label key={node.id} className="actions">
              <input type="checkbox" checked={chosen.has(node.roleId)} onChange={() => toggle(node.roleId)} />
              {node.displayName} <span className="muted">rank {node.rank}</span>
            </label>
          ))}
          <Button look="primary" disabled={isRunning} onClick={() => void save()}>
            Save roles
          </Button>
        </div>
      )}
    </QueryView>
  );
}
