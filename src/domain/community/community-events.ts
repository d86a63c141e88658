import type { NewEvent } from '../../events/append-events.ts';
import type { CommunityRecord } from '../../store/records/community.ts';

type CommunityEventName = Extract<NewEvent, { data: { communityId: string } }>['type'];
type CommunityUsersEventName = Extract<NewEvent, { data: { communityId: string; userIds: string[] } }>['type'];

/** Events of users who join or leave a community. */
export type MembershipEvent =
  | 'community.joined'
  | 'community.left'
  | 'community.userAdded'
  | 'community.userRemoved'
  | 'community.userBanned'
  | 'community.userUnbanned';

type CommunityKey = Pick<CommunityRecord, 'path' | 'communityId'>;

/** An event about a community. `community.created` also stands for its first members. */
export function communityEvent(
  type: Exclude<CommunityEventName, CommunityUsersEventName>,
  { path, communityId }: CommunityKey,
): NewEvent {
  return { type, path, data: { communityId } };
}

/** An event about users in a community; none for an empty list. */
export function communityUsersEvents(
  type: CommunityUsersEventName,
  { path, communityId }: CommunityKey,
  userIds: readonly string[],
): NewEvent[] {
  return userIds.length === 0 ? [] : [{ type, path, data: { communityId, userIds: [...userIds] } }];
}
