/** The kinds of users that the matrix distinguishes. */
export const ACTORS = {
  nobody: 'has no token',
  outsider: 'is signed in, and a member of nothing',
  member: 'is a member of the community or channel',
  muted: 'is a member who is muted in the channel',
  banned: 'is banned from the community or channel',
  author: 'is a member who created the record',
  moderator: 'is a member with `community-moderator` or `channel-moderator`',
  networkModerator: 'holds `moderator` in the network, and is a member of nothing',
  admin: 'holds `global-admin` in the network, and is a member of nothing',
  foreigner: 'holds `global-admin` in another network',
} as const;

export type Actor = keyof typeof ACTORS;

/** `absent`: as if the record did not exist: a list is empty, a record is null or not found. */
export type Outcome = 'allowed' | 'refused' | 'absent';

export interface Row {
  /** A field of Query or Mutation, or a list of a record such as `Community.members`. */
  operation: string;
  /** The record or place of the operation, if the outcome depends on it. */
  situation: string;
  outcomes: { readonly [Name in Actor]: Outcome };
}

const SIGNS: { [sign: string]: Outcome } = { '+': 'allowed', '-': 'refused', '.': 'absent' };

/**
 * Rows from strings with one sign per actor, in the order of {@link ACTORS}: `+` allowed, `-` refused, `.` absent.
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
