import { canSeeFollowRequests } from '../../src/access/follow.ts';
import { viewerOf } from '../../src/context.ts';
import { type Follow as FollowOfUsers, followOfViewer } from '../../src/domain/user/follows/follow.ts';
import { getUser } from '../../src/domain/user/get-user.ts';
import type { UserRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { authorizeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

const FollowStatus = restEnum<FollowOfUsers['status']>('FollowStatus', 'Relation of a user to another user.', {
  none: 'The user does not follow the other.',
  pending: 'The user has requested to follow the other, who has not accepted yet.',
  accepted: 'The user follows the other.',
  blocked: 'The user has blocked the other. Visible to the blocking user only.',
});

export const Follow = builder.objectRef<FollowOfUsers>('Follow').implement({
  description: 'The relation of a user, the follower, to another user.',
});

/** Both users see their relation while they see each other. */
authorizeType<FollowOfUsers>('Follow', async (context, { fromUserId, toUserId }) => {
  const { userId } = viewerOf(context);
  if (fromUserId !== userId && toUserId !== userId) return false;
  return (await getUser(context, { userId: fromUserId === userId ? toUserId : fromUserId })) !== null;
});

builder.objectFields(Follow, (t) => ({
  fromUserId: t.exposeString('fromUserId', { description: 'Public id of the follower.' }),
  toUserId: t.exposeString('toUserId', { description: 'Public id of the followed user.' }),
  status: t.expose('status', { type: FollowStatus, description: 'The relation.' }),
  createdAt: t.expose('createdAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the follow, the request or the block; null for none.',
  }),
  updatedAt: t.expose('updatedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the last change; null for none.',
  }),
  follower: t.field({
    type: User,
    nullable: true,
    description: 'The follower.',
    resolve: ({ fromUserId }, _, context) => loadUser(context, fromUserId),
  }),
  followed: t.field({
    type: User,
    nullable: true,
    description: 'The followed user.',
    resolve: ({ toUserId }, _, context) => loadUser(context, toUserId),
  }),
}));

const FollowCounts = builder.objectRef<UserRecord>('FollowCounts').implement({
  description: 'How many users follow a user, and how many they follow.',
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    followerCount: t.int({ description: 'Number of followers.', resolve: (user) => user.followerCount ?? 0 }),
    followingCount: t.int({
      description: 'Number of users whom the user follows.',
      resolve: (user) => user.followingCount ?? 0,
    }),
    pendingCount: t.int({
      nullable: true,
      description: 'Number of requests to follow the user; null for other users, unless the viewer can edit users.',
      resolve: (user, _, context) => (canSeeFollowRequests(viewerOf(context), user) ? (user.pendingCount ?? 0) : null),
    }),
  }),
});

builder.objectFields(User, (t) => ({
  followCounts: t.field({
    type: FollowCounts,
    description: 'Numbers of followers and followed users.',
    resolve: (user) => user,
  }),
  viewerFollow: t.field({
    type: Follow,
    nullable: true,
    description: 'Relation of the viewer to the user: `NONE` without a follow, request or block.',
    resolve: (user, _, context) => followOfViewer(context, user),
  }),
}));
