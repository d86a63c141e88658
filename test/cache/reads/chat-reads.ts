import { outcomes } from '../history.ts';
import { claimCount, keyOf } from '../observe.ts';
import { countRange, rightsOf, seesInside } from '../world.ts';
import { claimListed, claimLooksAbsent } from './claims.ts';
import { get, nodesOf, pickKnown, query, type Read, read } from './query.ts';

export const chatReads: { [name: string]: Read } = {
  async messages(client, options) {
    const { world } = client;
    const reply = await read(
      client,
      client.random.chance(0.5)
        ? get(`/api/v5/messages?messageFeedId=${world.messageFeedId}&options[limit]=100`)
        : query(
            `query ($id: String!) { messageFeed(messageFeedId: $id) { __typename messageFeedId lastSegment childCount messages(first: 100) { edges { node { __typename messageId data isDeleted } } } } }`,
            { id: world.messageFeedId },
          ),
      options,
    );
    const feed = reply?.body.data?.messageFeed;
    if (!reply || !feed) return;
    const states = () => world.messages.map(({ life }) => life);
    claimCount(world.history, reply, 'lastSegment', feed.lastSegment, () =>
      countRange(reply, states(), (life) => life !== 'none'),
    );
    claimCount(world.history, reply, 'childCount', feed.childCount, () =>
      countRange(reply, states(), (life) => life === 'live'),
    );
    const found = new Set(nodesOf(feed.messages).flatMap(({ messageId, data }) => [messageId, keyOf(data?.text)]));
    claimListed(client, reply, {
      what: 'messages',
      items: world.messages,
      found,
      isListed: (message) =>
        outcomes(
          reply,
          [...rightsOf(world, client.person), message.life] as const,
          (isPublic, standing, network, life) => life !== 'none' && seesInside([isPublic, standing, network]),
        ),
    });
  },

  async message(client, options) {
    const message = pickKnown(client, client.world.messages);
    if (!message) return;
    const isRest = client.random.chance(0.5);
    const reply = await read(
      client,
      isRest
        ? get(`/api/v5/messages/${message.id}`)
        : query('query ($id: String!) { message(messageId: $id) { __typename messageId data isDeleted } }', {
            id: message.id,
          }),
      options,
    );
    if (!reply || (!isRest && !reply.body.data)) return;
    const isFound = isRest ? reply.status === 200 : reply.body.data.message !== null;
    if (isRest && !isFound) claimLooksAbsent(client, reply, 'Message');
    client.world.history.derived(reply, `${message.key}, visible,`, {
      of: [...rightsOf(client.world, client.person), message.life] as const,
      // Deleted messages are shown or not, by rules that other tests check.
      derive: (isPublic, standing, network, life) =>
        seesInside([isPublic, standing, network]) && (life === 'live' || isFound),
      found: isFound,
    });
  },

  async unread(client, options) {
    const { world, person } = client;
    const reply = await read(
      client,
      query(
        'query ($ids: [String!]!) { viewerFeedMarkers(messageFeedIds: $ids) { feedId readToSegment unreadCount } }',
        {
          ids: [world.messageFeedId],
        },
      ),
      options,
    );
    const marker = reply?.body.data?.viewerFeedMarkers[0];
    // Joining and sending move the markers of everybody else.
    if (!reply || !marker || person !== world.people.get('rita')) return;
    world.history.saw(person.readTo, marker.readToSegment, reply);
    claimCount(world.history, reply, 'unreadCount', marker.unreadCount, () => {
      const readTo = person.readTo.values(reply);
      const unread =
        (upTo: number) =>
        ({ segment, author }: (typeof world.messages)[number]) =>
          author !== person && (segment === null || segment > upTo);
      const ranges = readTo.map((upTo) =>
        countRange(
          reply,
          world.messages.filter(unread(upTo)).map(({ life }) => life),
          (life) => life === 'live',
        ),
      );
      return [Math.min(...ranges.map(([atLeast]) => atLeast)), Math.max(...ranges.map(([, atMost]) => atMost))];
    });
  },
};
