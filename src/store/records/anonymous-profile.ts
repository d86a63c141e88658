import type { UserRecord } from './user.ts';

/** The name of every deleted user. */
export const DELETED_USER_NAME = 'Deleted user';

/** What is left of the profile of a deleted user: nothing that identifies the person. */
export const ANONYMOUS_PROFILE = {
  displayName: DELETED_USER_NAME,
  profileHandle: null,
  description: '',
  avatarFileId: null,
  avatarCustomUrl: null,
  metadata: {},
} as const satisfies Partial<UserRecord>;
