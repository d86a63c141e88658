import { type Context, viewerOf } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import type { FollowRecord, UserBlockRecord, UserRecord } from '../../../store/records/user.ts';
import { isBlockedByViewer } from '../blocks/blocks.ts';

/** The relation of a user to another one: `fromUserId` follows `toUserId`. */
export interface Follow {
  fromUserId: string;
  toUserId: string;
  status: 'none' | FollowRecord['status'] | 'blocked';
  /** null when there is no relation. */
  createdAt: Date | null;
  updatedAt: Date | null;
}

export function toFollow({ userId, followedUserId, status, createdAt, updatedAt }: FollowRecord): Follow {
  return { fromUserId: userId, toUserId: followedUserId, status, createdAt, updatedAt };
}

/** A block, in the form in which lists of follows show it. */
export function blockedFollow({
  userId,
  blockedUserId,
  createdAt,
  updatedAt,
}: Pick<UserBlockRecord, 'userId' | 'blockedUserId' | 'createdAt' | 'updatedAt'>): Follow {
  return { fromUserId: userId, toUserId: blockedUserId, status: 'blocked', createdAt, updatedAt };
}

export function noFollow(fromUserId: string, toUserId: string): Follow {
  return { fromUserId, toUserId, status: 'none', createdAt: null, updatedAt: null };
}

/** The relation of the viewer to another user. A block takes precedence over a follow. */
export async function followOfViewer(context: Context, { userId }: Pick<UserRecord, 'userId'>): Promise<Follow> {
  const viewer = viewerOf(context);
  if (await isBlockedByViewer(context, { userId })) {
    const block = await context.load.userBlocks.load([viewer.userId, userId]);
    if (block) return blockedFollow(block);
  }
  const follow = await context.load.follows.load([viewer.userId, userId]);
  return follow ? toFollow(follow) : noFollow(viewer.userId, userId);
}

type FollowEventName = Extract<NewEvent['type'], `follow.${string}`>;

interface FollowUsers {
  follower: Pick<UserRecord, '_id' | 'networkId' | 'userId'>;
  followed: Pick<UserRecord, '_id' | 'userId'>;
}

/**
 * An event about a follow. Its path is `<network>/membership/<followed user>/<follower>/follow`, with internal ids, so
 * that one topic selects the followers of a user and another one the users they follow.
 */
export function followEvent(
  type: FollowEventName,
  { follower, followed }: FollowUsers,
  { status, createdAt }: { status: 'none' | FollowRecord['status']; createdAt: Date },
): NewEvent {
  return {
    type,
    path: `${follower.networkId}/membership/${followed._id.toHexString()}/${follower._id.toHexString()}/follow`,
    data: { userId: follower.userId, followedUserId: followed.userId, status, followedAt: createdAt },
  };
}
