import { changeRolesAsOperator } from '../domain/user/roles/change-user-roles.ts';
import type { Call, Command } from '../store-cli/command.ts';
import { asOperator } from './operator.ts';

const DEFAULT_ROLE = 'global-admin';

export const grant: Command = {
  usage: 'grant USER_ID [ROLE]',
  help: `Gives a user a network-wide role.

  USER_ID  the public id of the user, who is created if absent
  ROLE     the id of the role (default ${DEFAULT_ROLE})`,
  options: {},
  positionalCount: [1, 2],
  run: (call) => change(call, true),
};

export const revoke: Command = {
  usage: 'revoke USER_ID [ROLE]',
  help: `Takes a network-wide role from a user.

  USER_ID  the public id of the user
  ROLE     the id of the role (default ${DEFAULT_ROLE})`,
  options: {},
  positionalCount: [1, 2],
  run: (call) => change(call, false),
};

async function change({ config, positionals }: Call, adds: boolean): Promise<void> {
  const [userId, roleId = DEFAULT_ROLE] = positionals as [string, string?];
  const { NETWORK_ID: networkId } = config;
  const user = await asOperator(config, adds ? 'assignNetworkRoles' : 'removeUserRoles', (context) =>
    changeRolesAsOperator(context, { networkId, userId, roleIds: [roleId], adds }),
  );
  console.log(`${user.userId}: ${user.roles.join(', ') || 'no network-wide role'}.`);
}
