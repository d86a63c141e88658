import { MATRIX } from '../src/access/matrix/index.ts';
import { ACTORS, type Actor, type Outcome, type Row } from '../src/access/matrix/row.ts';
import { DEFAULT_ROLES, PERMISSIONS } from '../src/access/permissions.ts';
import { READ_ONLY_MUTATIONS } from '../src/access/visitor.ts';
import { table } from './markdown.ts';

const TITLES: { readonly [Name in Actor]: string } = {
  nobody: 'nobody',
  outsider: 'outsider',
  member: 'member',
  muted: 'muted',
  banned: 'banned',
  author: 'author',
  moderator: 'moderator',
  networkModerator: 'network moderator',
  admin: 'admin',
  foreigner: 'foreigner',
};

const SIGNS: { readonly [Name in Outcome]: string } = { allowed: '✓', refused: '✗', absent: '–' };

/** The whole of `docs/reference/permissions.md`. */
export function printPermissions(): string {
  return `# Permissions

Generated from the table in \`src/access/matrix\` (\`npm run generate\`). A test checks each cell with a gateway, over GraphQL and, where
a path exists, over REST.

✓ is allowed. ✗ is refused with an error that gives the reason. – is absent: a record is null, a mutation returns \`NOT_FOUND\`, a list
is empty. A record that the viewer may not see is reported as absent. \`Community.members\` and the like are lists of a record.

${table(
  ['', 'user'],
  Object.entries(ACTORS).map(([actor, words]) => [`**${TITLES[actor as Actor]}**`, words]),
)}

Users who are deleted or banned from the network have no token: their sessions have ended.

Visitors and bots read what an outsider reads, and are refused every mutation except ${[...READ_ONLY_MUTATIONS]
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ')}.

## Operations

${table(['operation', 'on', ...Object.values(TITLES)], [...MATRIX].sort(byOperation).map(cells))}

## Roles

A role gives permissions where it is assigned: in the network, in one community, or in one channel. Users can assign and remove only
roles up to the rank of their own highest role. These are the default roles; others can be created.

${table(
  ['permission', ...DEFAULT_ROLES.map(({ roleId }) => `\`${roleId}\``)],
  [
    ['_rank_', ...DEFAULT_ROLES.map(({ rank }) => String(rank))],
    ...PERMISSIONS.map((permission) => [
      `\`${permission}\``,
      ...DEFAULT_ROLES.map(({ permissions }) => (permissions.includes(permission) ? '✓' : '')),
    ]),
  ],
)}
`;
}

function byOperation(one: Row, other: Row): number {
  return one.operation < other.operation ? -1 : one.operation > other.operation ? 1 : 0;
}

function cells({ operation, situation, outcomes }: Row): string[] {
  return [`\`${operation}\``, situation, ...(Object.keys(TITLES) as Actor[]).map((actor) => SIGNS[outcomes[actor]])];
}
