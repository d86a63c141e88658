import type { Context } from '../../context.ts';

/** Maximum bans or mutes of one kind that end in one run of the background step. */
export const MAX_ENDED = 1_000;

/** Records of a network whose ban ended by itself, without that being stored yet: served by a partial index. */
export function endedBans(context: Context, networkId: string) {
  return { networkId, 'ban.expiresAt': { $gt: new Date(0), $lte: context.now() } };
}

/** A lifted ban or mute is recorded as an act of the gateway. */
export const bySystem = (networkId: string) => ({ networkId, actorKind: 'system' }) as const;

/** A transaction that stores the end of bans or mutes, if no other process has done so. */
export interface Lift {
  /** For the log. */
  ids: object;
  run: () => Promise<void>;
}

/** User ids by the id of their place. */
export function groupIds<Member extends { userId: string }>(
  members: readonly Member[],
  placeOf: (member: Member) => string,
): Array<[string, string[]]> {
  const byPlace = new Map<string, string[]>();
  for (const member of members) {
    const ids = byPlace.get(placeOf(member));
    if (ids) ids.push(member.userId);
    else byPlace.set(placeOf(member), [member.userId]);
  }
  return [...byPlace];
}
