import type { ChannelRecord } from '../../../store/records/chat.ts';
import type { Act } from '../../audit/record-audit.ts';

/** Privileged acts on members of a channel, for the audit log. */
export function actsOnMembers(
  { channelId }: Pick<ChannelRecord, 'channelId'>,
  userIds: readonly string[],
  more: Pick<Act, 'details' | 'reason'> = {},
): Act[] {
  return userIds.map((userId) => ({
    subjectType: 'user',
    subjectId: userId,
    affectedUserId: userId,
    channelId,
    ...more,
  }));
}
