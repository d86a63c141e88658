import type { BanTerms } from './records/ban.ts';
import type { ChannelUserRecord } from './records/chat.ts';
import type { CommunityUserRecord } from './records/community.ts';
import type { UserRecord } from './records/user.ts';

/** A record that can be banned. */
export type Bannable = UserRecord | CommunityUserRecord | ChannelUserRecord;

/**
 * Whether the ban of a record has ended by itself, although the record still says that it is in effect. Gateways of older
 * releases, which may run beside this one, leave the terms of bans that they lift.
 */
export function hasBanEnded(record: Bannable, hasPassed: (time: Date) => boolean): boolean {
  const { ban } = record;
  const isBanned = 'isGlobalBan' in record ? record.isGlobalBan : record.isBanned;
  return isBanned && ban?.expiresAt != null && hasPassed(ban.expiresAt);
}

/**
 * The record as it is now: without a ban whose end has passed. A background step stores the end later
 * (`src/domain/moderation/lift-ended-bans-and-mutes.ts`), so every decision about a ban uses this form.
 */
export function withoutEndedBan<Record extends Bannable>(record: Record, hasPassed: (time: Date) => boolean): Record {
  if (!hasBanEnded(record, hasPassed)) return record;
  const { ban: _, ...rest } = record;
  return { ...rest, ...fieldsOf(record) } as unknown as Record;
}

function fieldsOf(record: Bannable): Partial<UserRecord & CommunityUserRecord & ChannelUserRecord> {
  if ('isGlobalBan' in record) return { isGlobalBan: false };
  if ('membership' in record) return { membership: 'none', isBanned: false };
  return { communityMembership: 'none', isBanned: false, notMemberReason: 'unbanned' };
}

/** An update that sets these fields and the terms of the ban, or removes the terms of an earlier ban. */
export function bannedOn<Fields extends object>(ban: BanTerms | undefined, fields: Fields) {
  return ban ? { $set: { ...fields, ban } } : { $set: fields, $unset: { ban: true } as const };
}

/**
 * A filter of memberships by their current state, where the stored state `banned` counts as `none` after the end of the
 * ban.
 *
 * @param field of the stored state. The condition on it bounds the index scan; ends of bans are tested on the records
 *   that it finds
 * @param now called only if the filter depends on the time
 */
export function membershipIn(
  field: 'membership' | 'communityMembership',
  wanted: ReadonlySet<'none' | 'member' | 'banned'>,
  now: () => Date,
): { [condition: string]: unknown } {
  const states = new Set(wanted);
  if (states.has('none') === states.has('banned')) return { [field]: inSet(states) };
  if (states.has('banned')) return { [field]: inSet(states), 'ban.expiresAt': { $not: { $lte: now() } } };
  const ended = { [field]: 'banned', 'ban.expiresAt': { $lte: now() } };
  return { [field]: inSet(states.add('banned')), $or: [{ [field]: inSet(wanted) }, ended] };
}

function inSet(states: ReadonlySet<string>): unknown {
  const [only] = states;
  return states.size === 1 ? only : { $in: [...states] };
}
