import { ObjectId } from 'mongodb';
import type { UserRecord } from '../../store/records/user.ts';
import { newFeeds } from '../feeds.ts';

/** The record of a new user. */
export function newUser({
  networkId,
  userId,
  displayName,
  now,
}: {
  networkId: string;
  userId: string;
  displayName: string;
  now: Date;
}): UserRecord {
  const _id = new ObjectId();
  return {
    _id,
    networkId,
    userId,
    path: `${networkId}/user/${_id.toHexString()}`,
    displayName,
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
    feeds: newFeeds(now),
    createdAt: now,
    updatedAt: now,
  };
}
