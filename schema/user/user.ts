import { canClearUserFlags } from '../../src/access/user.ts';
import { type Context, viewerOf } from '../../src/context.ts';
import { visibleHashFlag } from '../../src/domain/flag/visible-hash-flag.ts';
import { getUser } from '../../src/domain/user/get-user.ts';
import type { MaybePromise } from '../../src/lib/maybe-promise.ts';
import { hasBanEnded } from '../../src/store/ended-bans.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { File } from '../file/file.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord, ofRecordIf } from '../shared/of-record.ts';
import { permissionsOf } from '../shared/permissions.ts';
import { HASH_FLAG, HashFlagType } from '../shared/reactable.ts';
import { UserTypeEnum, userTypeOf } from './user-type.ts';

export const User = nodeType<UserRecord>('User', {
  description: 'A user of the network: a person or a brand.',
  id: 'userId',
  load: (context, userId) => getUser(context, { userId }),
});

builder.objectFields(User, (t) => ({
  userId: t.exposeString('userId', { description: 'Public id, chosen by the application.' }),
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (user) => user._id.toHexString(),
  }),
  userType: t.field({
    type: UserTypeEnum,
    description: 'Whether the user has an account. Visitors and bots, who have none, are visible only to themselves.',
    resolve: userTypeOf,
  }),
  path: t.exposeString('path', {
    description: 'Path of the user, for subscriptions to their events: `<network>/user/<internal id>`.',
  }),
  displayName: t.exposeString('displayName', { description: 'Display name.' }),
  profileHandle: t.exposeString('profileHandle', { nullable: true, description: 'Short unique name.' }),
  description: t.exposeString('description', { description: 'Description.' }),
  avatarFileId: t.exposeString('avatarFileId', { nullable: true, description: 'File id of the avatar.' }),
  avatarCustomUrl: t.exposeString('avatarCustomUrl', {
    nullable: true,
    description: 'URL of an avatar that is stored elsewhere.',
  }),
  roles: t.exposeStringList('roles', { description: 'Public ids of the network-wide roles.' }),
  permissions: t.stringList({
    description: 'Permissions of `roles`.',
    ...ofRecordIf<UserRecord>(({ roles }) => roles.length === 0),
    resolve: (record, _, context) => permissionsOf(context, record),
  }),
  flagCount: t.exposeInt('flagCount', { description: 'Number of flags.' }),
  hashFlag: t.field({
    type: HashFlagType,
    nullable: true,
    description: HASH_FLAG,
    ...ofRecordIf<UserRecord>(({ hashFlag }) => hashFlag === null),
    resolve: (user, _, context) => visibleHashFlag(context, user.hashFlag, canClearUserFlags),
  }),
  metadata: t.expose('metadata', { type: 'JSONObject', description: 'Free-form data of the application.' }),
  isGlobalBan: t.boolean({
    description: 'Whether the user is banned from the network.',
    ...ofRecordIf<UserRecord>(({ isGlobalBan }) => !isGlobalBan),
    resolve: (user, _, context) => user.isGlobalBan && !hasBanEnded(user, context.hasPassed),
  }),
  isBrand: t.exposeBoolean('isBrand', { description: 'Whether this is a brand rather than a person.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the account is deleted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  avatar: t.field({
    type: File,
    nullable: true,
    description: 'The avatar.',
    ...ofRecordIf<UserRecord>(({ avatarFileId }) => !avatarFileId),
    resolve: (user, _, { load }) => (user.avatarFileId ? load.files.load(user.avatarFileId) : null),
  }),
}));

/** The user with a public id; null if there is none. */
export function loadUser(context: Context, userId: string | null): MaybePromise<UserRecord | null> {
  return userId === null ? null : context.load.users.load(userId);
}

builder.queryFields((t) => ({
  viewer: t.field({
    type: User,
    nullable: true,
    description: 'The signed-in user.',
    resolve: (_, _args, context) => getUser(context, { userId: viewerOf(context).userId }),
  }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'A user by their public id.',
    args: { userId: t.arg.string({ required: true, description: 'Public id of the user.' }) },
    resolve: (_, args, context) => getUser(context, args),
  }),
}));
