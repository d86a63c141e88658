import { request } from '../client.ts';
import { findPerson } from '../observe.ts';
import { isIn } from '../world.ts';
import { claimLooksAbsent } from './claims.ts';
import { COMMUNITY, get, nodesOf, query, type Read, read, USER } from './query.ts';

export const peopleReads: { [name: string]: Read } = {
  async user(client, options) {
    const person = client.random.pick([...client.world.people.values()]);
    const isRest = client.random.chance(0.5);
    const reply = await read(
      client,
      isRest
        ? get(`/api/v3/users/${person.userId}`)
        : query(`query ($id: String!) { user(userId: $id) { ${USER} } }`, { id: person.userId }),
      options,
    );
    if (!reply || person === client.person || (!isRest && !reply.body.data)) return;
    client.world.history.derived(reply, `user ${person.userId}, visible,`, {
      of: [person.isDeleted, client.person.moderatesNetwork],
      derive: (isDeleted, network) => !isDeleted || network,
      found: isRest ? reply.status === 200 : reply.body.data.user !== null,
    });
    if (isRest && reply.status !== 200) claimLooksAbsent(client, reply, 'User');
  },

  async users(client, options) {
    const ids = [...client.world.people.values()].map(({ userId }) => userId);
    await read(client, query(`query ($ids: [String!]!) { usersByIds(userIds: $ids) { ${USER} } }`, { ids }), options);
  },

  async blockedUsers(client, options) {
    const reply = await read(client, query('{ viewerBlockedUsers(first: 50) { edges { node { userId } } } }'), options);
    if (!reply?.body.data) return;
    const found = new Set(nodesOf(reply.body.data.viewerBlockedUsers).map(({ userId }) => userId));
    const { history, people } = client.world;
    for (const [userId, register] of client.person.blocks) {
      const { isDeleted } = findPerson(people.values(), userId)!;
      const isFound = found.has(userId);
      if (isFound || isDeleted.versions.length === 1) history.saw(register, isFound, reply);
      // Lists omit deleted accounts, except for moderators of the network.
      else
        history.derived(reply, `${register.name}, listed,`, {
          of: [register, isDeleted, client.person.moderatesNetwork],
          derive: (isBlocked, isGone, network) => isBlocked && (!isGone || network),
          found: false,
        });
    }
  },

  async viewer(client, options) {
    const reply = await read(
      client,
      query(
        `{ viewer { ${USER} } viewerCommunities(first: 50) { edges { node { ${COMMUNITY} } } } viewerChannels(first: 50) { edges { node { channelId } } } }`,
      ),
      options,
    );
    if (!reply?.body.data) return;
    const { viewerCommunities, viewerChannels } = reply.body.data;
    const { world, person } = client;
    const joined = nodesOf(viewerCommunities).some(({ communityId }) => communityId === world.communityId);
    const inChannel = nodesOf(viewerChannels).some(({ channelId }) => channelId === world.channelId);
    const of = [person.standing] as const;
    world.history.derived(reply, "the viewer's communities", { of, derive: isIn, found: joined });
    world.history.derived(reply, "the viewer's channels", { of, derive: isIn, found: inChannel });
  },

  /** A session that has ended is refused by every gateway. */
  async endedSession(client, options) {
    const session = client.ended.at(-1);
    if (session) await request(client, query('{ viewer { userId } }'), { session, ...options });
  },
};
