/** Who asks, as the matrix tells them apart. */
export const ACTORS = {
  nobody: 'has no token',
  outsider: 'is signed in, and a member of nothing',
  member: 'is a member of the community or channel',
  muted: 'is a member that is muted in the channel',
  banned: 'is banned from the community or channel',
  author: 'is a member that made what it is about',
  moderator: 'is a member with `community-moderator` or `channel-moderator`',
  networkModerator: 'holds `moderator` in the network, and is a member of nothing',
  admin: 'holds `global-admin` in the network, and is a member of nothing',
  foreigner: 'holds `global-admin` in another network',
} as const;

export type Actor = keyof typeof ACTORS;

/** Absent: as if there were nothing of this id; a list is empty, a record null. */
export type Outcome = 'allowed' | 'refused' | 'absent';

export interface Row {
  /** The field of Query or Mutation, or a list of a record: `Community.members`. */
  operation: string;
  /** What it is about, where that makes a difference. */
  situation: string;
  outcomes: { readonly [Name in Actor]: Outcome };
}

const SIGNS: { [sign: string]: Outcome } = { '+': 'allowed', '-': 'refused', '.': 'absent' };

/**
 * An outcome an actor, in the order nobody, outsider, member, muted, banned, author, moderator, network moderator, admin,
 * foreigner: `+` allowed, `-` refused, `.` absent.
 */
export function rows(operations: { [operation: string]: { [situation: string]: string } }): Row[] {
  return Object.entries(operations).flatMap(([operation, situations]) =>
    Object.entries(situations).map(([situation, signs]) => ({ operation, situation, outcomes: outcomesOf(signs) })),
  );
}

function outcomesOf(signs: string): Row['outcomes'] {
  const outcomes = signs.split(' ').map((sign) => SIGNS[sign]!);
  return Object.fromEntries(Object.keys(ACTORS).map((actor, index) => [actor, outcomes[index]!])) as Row['outcomes'];
}
