import { ObjectId } from 'mongodb';
import type { UserRecord, UserType } from './records/user.ts';

/** Lifetime of the session of a visitor. */
export const VISITOR_SESSION_MS = 30 * 86_400_000;

/** Ids of visitors and bots, which accounts cannot have. */
export const VISITOR_ID = /^(visitor|bot)-[0-9a-f]{40}$/;

/** Display names of visitors and bots. */
const DISPLAY_NAMES = { visitor: 'Visitor', bot: 'Bot' } as const;

/**
 * The user record of a visitor or bot. They have no account: the record is derived from their session and never stored, so
 * other users cannot list, mention, add or follow them.
 */
export function visitorRecord({
  networkId,
  userId,
  userInternalId,
  userType,
  expiresAt,
}: {
  networkId: string;
  userId: string;
  userInternalId: string;
  userType: UserType;
  /** When their session ends. */
  expiresAt: Date;
}): UserRecord {
  const createdAt = new Date(expiresAt.getTime() - VISITOR_SESSION_MS);
  return {
    _id: new ObjectId(userInternalId),
    networkId,
    userId,
    userType,
    path: `${networkId}/user/${userInternalId}`,
    displayName: userType === 'signed-in' ? userId : DISPLAY_NAMES[userType],
    profileHandle: null,
    description: '',
    avatarFileId: null,
    avatarCustomUrl: null,
    roles: [],
    permissions: [],
    flagCount: 0,
    hashFlag: null,
    metadata: {},
    isGlobalBan: false,
    isBrand: false,
    isDeleted: false,
    feeds: [],
    createdAt,
    updatedAt: createdAt,
  };
}
