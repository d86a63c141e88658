import { MATRIX } from '../src/access/matrix/index.ts';
import { ACTORS, type Actor, type Outcome, type Row } from '../src/access/matrix/row.ts';
import { DEFAULT_ROLES, PERMISSIONS } from '../src/access/permissions.ts';
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

/** `docs/reference/permissions.md`, whole. */
export function printPermissions(): string {
  return `# Who may do what

Printed from the table in \`src/access/matrix\` (\`npm run generate\`); a test asks a gateway each cell of it over GraphQL, and
over REST where the path exists.

✓ is allowed, ✗ refused with an error that says why, – as if there were nothing of this id: a record is null, a change
answers \`NOT_FOUND\`, a list is empty. What one may not see and what does not exist look the same.
\`Community.members\` and the like are lists that hang on a record.

${table(
  ['', 'who'],
  Object.entries(ACTORS).map(([actor, words]) => [`**${TITLES[actor as Actor]}**`, words]),
)}

Users that are deleted or banned from the whole network have no token: their sessions end with them.

## Operations

${table(['operation', 'on', ...Object.values(TITLES)], [...MATRIX].sort(byOperation).map(cells))}

## Roles

A role gives permissions where it is held: in the network, in one community, or in one channel. Nobody gives or takes away a
role of a higher rank than the highest of their own. These are there from the beginning; more can be made.

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
