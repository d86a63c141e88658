import { z } from 'zod';
import { operation } from '../../documents.ts';
import { enumParam } from '../../enum-param.ts';
import { forMutation } from '../../operation-params.ts';
import { connectionVariables } from '../../paging.ts';
import { bool, id, pagingOptions } from '../../params.ts';
import { FOLLOW } from '../../payload-fields.ts';
import { route } from '../../route.ts';

const arrays = ['follows', 'users', 'files'];
const withCounts = ['follows', 'followCounts', 'users', 'files'];

const listParams = {
  status: enumParam('FollowFilter').default('ALL'),
  isDeleted: bool().optional().describe('Ignored: the follows of a user end when the account is deleted.'),
  options: pagingOptions(),
};

const shared = { reference: 'follows', arrays: withCounts } as const;
const list = { reference: 'list-follows', arrays, paging: ['previous'] } as const;
/** `users` is the main array: a user who does not exist is a 404, one without follows is not. */
const listOfUser = { ...list, arrays: ['users', 'follows', 'files'], required: 'User' } as const;

export const follows = [
  route({
    ...shared,
    ...forMutation('followUser', FOLLOW),
    method: 'POST',
    path: '/api/v4/me/following/:userId',
    summary: 'Follow a user, or request it in a network with private profiles.',
  }),
  route({
    ...shared,
    ...forMutation('unfollowUser', FOLLOW),
    method: 'DELETE',
    path: '/api/v4/me/following/:userId',
    summary: 'Stop following a user, or withdraw the request.',
  }),
  route({
    ...shared,
    ...forMutation('acceptFollower', FOLLOW),
    method: 'POST',
    path: '/api/v4/me/followers/:userId',
    summary: 'Accept the request of a user to follow the viewer.',
  }),
  route({
    ...shared,
    ...forMutation('removeFollower', FOLLOW),
    method: 'DELETE',
    path: '/api/v4/me/followers/:userId',
    summary: 'Remove a follower, or decline their request.',
  }),
  route({
    reference: 'follow-info',
    arrays: ['followCounts', 'users', 'files'],
    method: 'GET',
    path: '/api/v4/me/followInfo',
    summary: 'Get how many users follow the viewer, and how many they follow.',
    params: z.object({}),
    document: operation('OwnFollowInfo'),
    variables: () => ({}),
  }),
  route({
    reference: 'follow-info',
    arrays: withCounts,
    method: 'GET',
    path: '/api/v5/users/:userId/followInfo',
    summary: 'Get the follow counts of a user, and the relation of the viewer to them.',
    params: z.object({ userId: id(50) }),
    document: operation('FollowInfo'),
    variables: ({ userId }) => ({ userId }),
    required: 'User',
  }),
  route({
    ...list,
    method: 'GET',
    path: '/api/v4/me/followers',
    summary: 'List the followers of the viewer, newest first.',
    params: z.object(listParams),
    document: operation('OwnFollowers'),
    variables: ({ status, options }) => ({ status, ...connectionVariables(options) }),
  }),
  route({
    ...list,
    method: 'GET',
    path: '/api/v4/me/following',
    summary: 'List the users whom the viewer follows, newest first.',
    params: z.object(listParams),
    document: operation('OwnFollowing'),
    variables: ({ status, options }) => ({ status, ...connectionVariables(options) }),
  }),
  route({
    ...listOfUser,
    method: 'GET',
    path: '/api/v4/users/:userId/followers',
    summary: 'List the followers of a user, newest first.',
    params: z.object({ userId: id(50), ...listParams }),
    document: operation('FollowersOfUser'),
    variables: ({ userId, status, options }) => ({ userId, status, ...connectionVariables(options) }),
  }),
  route({
    ...listOfUser,
    method: 'GET',
    path: '/api/v4/users/:userId/following',
    summary: 'List the users whom a user follows, newest first.',
    params: z.object({ userId: id(50), ...listParams }),
    document: operation('FollowingOfUser'),
    variables: ({ userId, status, options }) => ({ userId, status, ...connectionVariables(options) }),
  }),
];
