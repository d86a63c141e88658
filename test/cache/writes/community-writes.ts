import { mutation } from '../client.ts';
import { isIn } from '../world.ts';
import { actsAsModerator, change, either, mayModerate, nextName, rest, type WriteOperation } from './change.ts';
import { changesStanding, pickStanding, resolveStanding, subjects } from './subjects.ts';

export const communityWrites: { [name: string]: WriteOperation } = {
  async renamesCommunity(client) {
    const { world } = client;
    if (!actsAsModerator(client)) return null;
    const displayName = nextName(world.displayName, 'Community');
    const call = either(
      client,
      rest('PUT', `/api/v3/communities/${world.communityId}`, { displayName }),
      mutation('updateCommunity', { communityId: world.communityId, displayName }),
    );
    return change(client, { changes: [[world.displayName, displayName]], call }, mayModerate(client));
  },

  async changesPrivacy(client) {
    const { world } = client;
    if (client.person !== world.owner) return null;
    const isPublic = !world.isPublic.latest;
    const call = mutation('updateCommunity', { communityId: world.communityId, isPublic });
    return change(client, { changes: [[world.isPublic, isPublic]], call });
  },

  async joins(client) {
    const { world, person } = client;
    if (!changesStanding(world, person) || isIn(person.standing.latest)) return null;
    const before = person.standing.latest;
    const call = either(
      client,
      rest('POST', `/api/v3/communities/${world.communityId}/join`),
      mutation('joinCommunity', { communityId: world.communityId }),
    );
    return change(
      client,
      { changes: [[person.standing, 'member']], call, resolve: resolveStanding(client, person, 'member') },
      { of: [world.isPublic], derive: (isPublic) => before === 'none' && isPublic },
    );
  },

  async leaves(client) {
    const { world, person } = client;
    if (!changesStanding(world, person) || !isIn(person.standing.latest)) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v3/communities/${world.communityId}/leave`),
      mutation('leaveCommunity', { communityId: world.communityId }),
    );
    return change(client, {
      changes: [[person.standing, 'none']],
      call,
      resolve: resolveStanding(client, person, 'none'),
    });
  },

  async bans(client) {
    const person = pickStanding(client, 'member');
    if (!person || !actsAsModerator(client)) return null;
    const { communityId } = client.world;
    const userIds = [person.userId];
    const call = either(
      client,
      rest('PUT', `/api/v3/communities/${communityId}/users/ban`, { userIds }),
      mutation('banCommunityMembers', { communityId, userIds }),
    );
    const resolve = resolveStanding(client, person, 'banned');
    return change(client, { changes: [[person.standing, 'banned']], call, resolve }, mayModerate(client));
  },

  async unbans(client) {
    const person = pickStanding(client, 'banned');
    if (!person || !actsAsModerator(client)) return null;
    const { communityId } = client.world;
    const userIds = [person.userId];
    const call = either(
      client,
      rest('PUT', `/api/v3/communities/${communityId}/users/unban`, { userIds }),
      mutation('unbanCommunityMembers', { communityId, userIds }),
    );
    const resolve = resolveStanding(client, person, 'none');
    return change(client, { changes: [[person.standing, 'none']], call, resolve }, mayModerate(client));
  },

  async assignsRoles(client) {
    const person = pickStanding(client, client.random.pick(['member', 'moderator']));
    if (!person || !actsAsModerator(client)) return null;
    const { communityId } = client.world;
    const next = person.standing.latest === 'member' ? 'moderator' : 'member';
    const roles = ['community-moderator'];
    const userIds = [person.userId];
    const isAdding = next === 'moderator';
    const call = either(
      client,
      rest(isAdding ? 'POST' : 'DELETE', `/api/v4/communities/${communityId}/users/roles`, { roles, userIds }),
      mutation(isAdding ? 'addCommunityRoles' : 'removeCommunityRoles', { communityId, roleIds: roles, userIds }),
    );
    const resolve = resolveStanding(client, person, next);
    return change(client, { changes: [[person.standing, next]], call, resolve }, mayModerate(client));
  },

  async mutes(client) {
    const { world } = client;
    if (client.person !== world.owner) return null;
    const others = subjects(client).filter(({ standing }) => standing.latest === 'member' && !standing.isBusy);
    if (others.length === 0) return null;
    const person = client.random.pick(others);
    const isMuted = !person.isMuted.latest;
    const input = { channelId: world.channelId, userIds: [person.userId], mutePeriod: isMuted ? -1 : 0 };
    // Whether somebody who leaves meanwhile is muted depends on the order: nobody leaves meanwhile.
    return change(client, {
      changes: [
        [person.isMuted, isMuted],
        [person.standing, person.standing.latest],
      ],
      call: mutation('muteChannelMembers', input),
    });
  },
};
