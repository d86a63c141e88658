import * as access from '../../src/access/user.ts';
import { type Context, type Viewer, viewerOf } from '../../src/context.ts';
import { isUserFlagged, isUserFlaggedByViewer } from '../../src/domain/user/moderation/flag-user.ts';
import { ranksAbove } from '../../src/domain/user/require-user.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { User } from './user.ts';

type Policy = (viewer: Viewer, user: UserRecord) => boolean;

/** A resolver from the policy function that also authorizes the operation. */
const allowed = (policy: Policy) => (user: UserRecord, _: unknown, context: Context) =>
  !user.isDeleted && policy(viewerOf(context), user);

/** As {@link allowed}, except for users who rank above the viewer. */
const allowedByRank = (policy: Policy) => async (user: UserRecord, _: unknown, context: Context) => {
  const viewer = viewerOf(context);
  if (user.isDeleted || !policy(viewer, user)) return false;
  return user.userId === viewer.userId || !(await ranksAbove(context, user));
};

builder.objectFields(User, (t) => ({
  isFlaggedByViewer: t.boolean({
    description: 'Whether the viewer has flagged the user.',
    resolve: (user, _, context) => isUserFlaggedByViewer(context, user),
  }),
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update the profile.',
    resolve: allowedByRank(access.canEditUser),
  }),
  viewerCanFlag: t.boolean({
    description: 'Whether the viewer can flag the user.',
    resolve: allowed(access.canFlagUser),
  }),
  viewerCanBan: t.boolean({
    description: 'Whether the viewer can ban the user from the network.',
    resolve: allowedByRank(access.canBanUser),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete the account.',
    resolve: allowedByRank(access.canDeleteUser),
  }),
  viewerCanAssignRoles: t.boolean({
    description: 'Whether the viewer can assign network-wide roles to the user, up to their own rank.',
    resolve: allowedByRank(access.canAssignUserRoles),
  }),
}));

builder.queryField('isUserFlagged', (t) =>
  t.boolean({
    description:
      'Whether the viewer has flagged a user. `NOT_FOUND` if they do not exist or the viewer cannot see them.',
    args: { userId: t.arg.string({ required: true, description: 'Public id of the user.' }) },
    resolve: (_, args, context) => isUserFlagged(context, args),
  }),
);
