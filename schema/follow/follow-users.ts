import { acceptFollower } from '../../src/domain/user/follows/accept-follower.ts';
import { removeFollower, unfollowUser } from '../../src/domain/user/follows/end-follow.ts';
import { type FollowResult, followUser } from '../../src/domain/user/follows/follow-user.ts';
import { userIdInput } from '../../src/domain/user/user-id-input.ts';
import type { builder } from '../builder.ts';
import { inputOf } from '../shared/input-fields.ts';
import { causes, mutationField } from '../shared/mutation-field.ts';
import { User } from '../user/user.ts';
import { Follow } from './follow.ts';

type OutputFields = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, FollowResult>;

const FOLLOW_PAYLOAD = {
  outputFields: (t: OutputFields) => ({
    follow: t.expose('follow', { type: Follow, description: 'The relation after the change.' }),
    user: t.expose('user', { type: User, description: 'The other user.' }),
  }),
};

mutationField(
  'followUser',
  inputOf(userIdInput),
  {
    description:
      'Follows a user, whose posts the global feed of the viewer then contains. In a network with private profiles it creates a request, which the user accepts or declines.',
    resolve: (_, { input }, context) => followUser(context, input),
    ...causes('follow.created', 'follow.requested'),
  },
  FOLLOW_PAYLOAD,
);

mutationField(
  'unfollowUser',
  inputOf(userIdInput),
  {
    description: 'Stops following a user, or withdraws the request to.',
    resolve: (_, { input }, context) => unfollowUser(context, input),
    ...causes('follow.unfollowed', 'follow.requestCanceled'),
  },
  FOLLOW_PAYLOAD,
);

mutationField(
  'acceptFollower',
  inputOf(userIdInput),
  {
    description: 'Accepts the request of a user to follow the viewer.',
    resolve: (_, { input }, context) => acceptFollower(context, input),
    ...causes('follow.accepted'),
  },
  FOLLOW_PAYLOAD,
);

mutationField(
  'removeFollower',
  inputOf(userIdInput),
  {
    description: 'Removes a follower of the viewer, or declines their request.',
    resolve: (_, { input }, context) => removeFollower(context, input),
    ...causes('follow.followerDeleted', 'follow.requestDeclined'),
  },
  FOLLOW_PAYLOAD,
);
