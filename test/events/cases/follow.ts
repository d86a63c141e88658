import { expect } from 'vitest';
import type { CaseContext, EventCase, ExpectedEvent } from './event-case.ts';
import { createUser, type User } from './people-fixtures.ts';

type FollowEventName = Extract<ExpectedEvent[0], `follow.${string}`>;

/** An event about a follow: `follower` follows `followed`. */
export const followEvent = (
  type: FollowEventName,
  { follower, followed }: { follower: User; followed: User },
  status: 'none' | 'pending' | 'accepted' = 'none',
): ExpectedEvent => [
  type,
  `default/membership/${followed.internalId}/${follower.internalId}/follow`,
  { userId: follower.userId, followedUserId: followed.userId, status, followedAt: expect.any(Date) },
];

const follow = (context: CaseContext, { follower, followed }: { follower: User; followed: User }) =>
  context.mutate(follower.userId, 'followUser', { userId: followed.userId }, 'clientMutationId');

/** A follow, of two new users by default. */
export async function createFollow(context: CaseContext, given: { follower?: User; followed?: User } = {}) {
  const follower = given.follower ?? (await createUser(context));
  const parties = { follower, followed: given.followed ?? (await createUser(context)) };
  await follow(context, parties);
  return parties;
}

/** As {@link createFollow}, but not accepted yet. Written directly, because profiles are public in all other cases. */
export async function createRequest(context: CaseContext, given: { follower?: User; followed?: User } = {}) {
  const parties = await createFollow(context, given);
  const { follows, users } = context.gateway.services.store.collections;
  const { follower, followed } = parties;
  const key = { networkId: 'default', userId: follower.userId, followedUserId: followed.userId };
  await follows.updateOne(key, { $set: { status: 'pending' } });
  const count = ({ userId }: User, $inc: Record<string, number>) =>
    users.updateOne({ networkId: 'default', userId }, { $inc });
  await count(follower, { followingCount: -1 });
  await count(followed, { followerCount: -1, pendingCount: 1 });
  return parties;
}

export const FOLLOW_CASES: EventCase[] = [
  {
    operation: 'followUser',
    situation: 'with a public profile',
    async prepare(context) {
      const parties = { follower: await createUser(context), followed: await createUser(context) };
      return {
        as: parties.follower.userId,
        input: { userId: parties.followed.userId },
        events: [followEvent('follow.created', parties, 'accepted')],
      };
    },
  },
  {
    operation: 'followUser',
    situation: 'again',
    async prepare(context) {
      const { follower, followed } = await createFollow(context);
      return { as: follower.userId, input: { userId: followed.userId } };
    },
  },
  {
    operation: 'unfollowUser',
    situation: 'who is followed',
    async prepare(context) {
      const parties = await createFollow(context);
      return {
        as: parties.follower.userId,
        input: { userId: parties.followed.userId },
        events: [followEvent('follow.unfollowed', parties)],
      };
    },
  },
  {
    operation: 'unfollowUser',
    situation: 'with a request',
    async prepare(context) {
      const parties = await createRequest(context);
      return {
        as: parties.follower.userId,
        input: { userId: parties.followed.userId },
        events: [followEvent('follow.requestCanceled', parties)],
      };
    },
  },
  {
    operation: 'acceptFollower',
    situation: 'with a request',
    async prepare(context) {
      const parties = await createRequest(context);
      return {
        as: parties.followed.userId,
        input: { userId: parties.follower.userId },
        events: [followEvent('follow.accepted', parties, 'accepted')],
      };
    },
  },
  {
    operation: 'removeFollower',
    situation: 'who follows',
    async prepare(context) {
      const parties = await createFollow(context);
      return {
        as: parties.followed.userId,
        input: { userId: parties.follower.userId },
        events: [followEvent('follow.followerDeleted', parties)],
      };
    },
  },
  {
    operation: 'removeFollower',
    situation: 'with a request',
    async prepare(context) {
      const parties = await createRequest(context);
      return {
        as: parties.followed.userId,
        input: { userId: parties.follower.userId },
        events: [followEvent('follow.requestDeclined', parties)],
      };
    },
  },
  {
    operation: 'blockUser',
    situation: 'who follows and is followed',
    async prepare(context) {
      const parties = await createFollow(context);
      const { follower, followed } = parties;
      const back = { follower: followed, followed: follower };
      await follow(context, back);
      return {
        as: follower.userId,
        input: { userId: followed.userId },
        events: [followEvent('follow.unfollowed', parties), followEvent('follow.followerDeleted', back)],
      };
    },
  },
  {
    operation: 'blockUser',
    situation: 'with requests in both directions',
    async prepare(context) {
      const parties = await createRequest(context);
      const { follower, followed } = parties;
      const back = await createRequest(context, { follower: followed, followed: follower });
      return {
        as: follower.userId,
        input: { userId: followed.userId },
        events: [followEvent('follow.requestCanceled', parties), followEvent('follow.requestDeclined', back)],
      };
    },
  },
  {
    operation: 'followUser',
    situation: 'with a private profile',
    async prepare(context) {
      const parties = { follower: await createUser(context), followed: await createUser(context) };
      const setPrivacy = (userPrivacySetting: string) =>
        context.mutate('admin', 'updateSocialSettings', { userPrivacySetting }, 'clientMutationId');
      await setPrivacy('PRIVATE');
      return {
        as: parties.follower.userId,
        input: { userId: parties.followed.userId },
        async events() {
          await setPrivacy('PUBLIC');
          return [followEvent('follow.requested', parties, 'pending')];
        },
      };
    },
  },
];
