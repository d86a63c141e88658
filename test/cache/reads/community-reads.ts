import { isIn, rightsOf, seesCommunity, seesInside } from '../world.ts';
import { claimLooksAbsent } from './claims.ts';
import { COMMUNITY, get, MEMBER, nodesOf, query, type Read, read, WHOLE } from './query.ts';

export const communityReads: { [name: string]: Read } = {
  async community(client, options) {
    const { world } = client;
    const isRest = client.random.chance(0.5);
    const reply = await read(
      client,
      isRest
        ? get(`/api/v3/communities/${world.communityId}`)
        : query(
            `query ($id: String!) { community(communityId: $id) { ${COMMUNITY} viewerMembership { ${MEMBER} } linkedCategories { __typename categoryId name } channel { __typename channelId viewerCanSend } members(first: ${WHOLE}) { edges { node { ${MEMBER} } } } } }`,
            { id: world.communityId },
          ),
      options,
    );
    if (!reply || (!isRest && !reply.body.data)) return;
    const found = isRest ? reply.status === 200 : reply.body.data.community;
    world.history.derived(reply, 'the community, visible,', {
      of: rightsOf(world, client.person),
      derive: (...rights) => seesCommunity(rights),
      found: Boolean(found),
    });
    if (!found && isRest) claimLooksAbsent(client, reply, 'Community');
    if (isRest || !found?.members) return;
    const members = new Set(nodesOf(found.members).map(({ userId }) => userId));
    for (const person of world.people.values())
      world.history.derived(reply, `${person.userId}, listed as a member,`, {
        // A viewer who is banned meanwhile sees an empty list.
        of: [...rightsOf(world, client.person), person.standing] as const,
        derive: (isPublic, standing, network, theirs) => seesInside([isPublic, standing, network]) && isIn(theirs),
        found: members.has(person.userId),
      });
    if (found.channel && client.person.moderatesNetwork.versions.length === 1)
      world.history.derived(reply, 'viewerCanSend', {
        of: [client.person.standing, client.person.isMuted],
        derive: (standing, isMuted) => isIn(standing) && !isMuted,
        found: found.channel.viewerCanSend,
      });
  },

  async members(client, options) {
    const { communityId } = client.world;
    await read(client, get(`/api/v3/communities/${communityId}/users?options[limit]=${WHOLE}`), options);
  },

  async categories(client, options) {
    const { categoryId } = client.world;
    const call = client.random.chance(0.5)
      ? get(`/api/v3/community-categories/${categoryId}`)
      : query('query ($id: String!) { category(categoryId: $id) { __typename categoryId name } }', { id: categoryId });
    await read(client, call, options);
  },
};
