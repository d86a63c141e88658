import type { NewEvent } from '../../events/append.ts';
import type { CommunityRecord } from '../../store/records/community.ts';

type CommunityEventName = Extract<NewEvent, { data: { communityId: string } }>['type'];
type CommunityUsersEventName = Extract<NewEvent, { data: { communityId: string; userIds: string[] } }>['type'];

/** How users come into a community, or out of it. */
export type Movement =
  | 'community.joined'
  | 'community.left'
  | 'community.userAdded'
  | 'community.userRemoved'
  | 'community.userBanned'
  | 'community.userUnbanned';

type Where = Pick<CommunityRecord, 'path' | 'communityId'>;

/** That something happened to a community. Its first members come with `community.created`. */
export function communityEvent(
  type: Exclude<CommunityEventName, CommunityUsersEventName>,
  { path, communityId }: Where,
): NewEvent {
  return { type, path, data: { communityId } };
}

/** That something happened to users in a community; nothing when there are none. */
export function communityUsersEvents(
  type: CommunityUsersEventName,
  { path, communityId }: Where,
  userIds: readonly string[],
): NewEvent[] {
  return userIds.length === 0 ? [] : [{ type, path, data: { communityId, userIds: [...userIds] } }];
}
