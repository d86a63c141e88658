import { type Client, isLost, request } from './client.ts';
import type { Call, Reply } from './gateways.ts';
import { outcomes } from './history.ts';
import { claimCount, findPerson, keyOf, observe } from './observe.ts';
import {
  blockOf,
  type Content,
  countRange,
  isIn,
  moderates,
  type Person,
  type Post,
  type Rights,
  rightsOf,
  seesCommunity,
  seesInside,
  type World,
} from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely
type Found = any;

const USER = '__typename userId displayName avatarCustomUrl description isGlobalBan isDeleted isBlockedByViewer';
const COMMENT = '__typename commentId data isDeleted';
const POST = `__typename postId isDeleted commentsCount reactionsCount flagCount myReactions isFlaggedByViewer viewerCanEdit viewerCanModerate data { text }`;
const COMMUNITY = '__typename communityId displayName isPublic isJoined membersCount viewerCanPost viewerCanEdit';
const MEMBER = `__typename communityId userId communityMembership roles user { ${USER} }`;

/** The number of records of a list that is read whole. Without `isDeleted`, REST lists show deleted posts to moderators. */
const WHOLE = 60;

/** An id that names no record. */
const MISSING = 'ffffffffffffffffffffffff';

export type Read = (client: Client, options?: { notTo?: string }) => Promise<void>;

async function read(client: Client, call: Call, options?: { notTo?: string }): Promise<Reply | null> {
  const reply = await request(client, call, options);
  if (isLost(reply) || reply.status === 401) return null;
  observe(client, reply);
  return reply;
}

const query = (text: string, variables: Record<string, unknown> = {}): Call => ({ query: text, variables });
const get = (path: string): Call => ({ method: 'GET', path });
const nodesOf = (connection: Found): Found[] => connection.edges.map((edge: Found) => edge.node);

/** Requires that a list holds what the viewer sees, and nothing else. */
function claimListed<Item extends Content>(
  { world, person: viewer }: Pick<Client, 'world' | 'person'>,
  reply: Reply,
  {
    what,
    items,
    found,
    isListed,
  }: {
    what: string;
    items: readonly Item[];
    found: ReadonlySet<string | null>;
    /** Whether the list holds an item; also called for authors whom the viewer blocked. */
    isListed: (item: Item) => Set<unknown>;
  },
): void {
  // A record that is created later has not been written yet when the request ends, so the list cannot hold it.
  for (const item of items) {
    world.history.claim(() => {
      const isFound = (item.id !== null && found.has(item.id)) || found.has(item.key);
      if (isListed(item).has(isFound)) return null;
      const interval = `${reply.start.toFixed(1)}–${reply.end.toFixed(1)}`;
      const state = [...rightsOf(world, viewer), item.life].map(
        (register) =>
          `\n    ${register.name}: ${register.versions
            .map(
              (version) => `${version.value} ${version.outcome} ${version.start.toFixed(1)}–${version.end.toFixed(1)}`,
            )
            .slice(-5)
            .join(', ')}`,
      );
      return `${reply.client} ${reply.label} at ${interval}, status ${reply.status}: ${what} ${isFound ? 'shows' : 'lacks'} ${item.key}${state.join('')}`;
    });
  }
}

/** Whether a viewer sees a post outside of lists. */
const postVisibility = (world: World, viewer: Person, post: Post, reply: Reply): Set<unknown> =>
  outcomes(reply, [...rightsOf(world, viewer), post.life] as const, (isPublic, standing, network, life) => {
    const rights = [isPublic, standing, network] as const;
    return life !== 'none' && seesInside(rights) && (life === 'live' || moderates(rights));
  });

/** To whom a list shows deleted content. */
type ShowsDeleted = (rights: Rights) => boolean;
const toNobody: ShowsDeleted = () => false;
const toEverybody: ShowsDeleted = () => true;

/** Whether lists show content to a viewer: they omit that of users whom the viewer blocked, except for moderators. */
const listVisibility = (
  world: World,
  viewer: Person,
  content: Content,
  reply: Reply,
  showsDeleted: ShowsDeleted,
): Set<unknown> =>
  outcomes(
    reply,
    [...rightsOf(world, viewer), content.life, blockOf(viewer, content.author)] as const,
    (isPublic, standing, network, life, isBlocked) => {
      const rights = [isPublic, standing, network] as const;
      if (!seesInside(rights) || (isBlocked && !moderates(rights))) return false;
      return life === 'live' || (life === 'deleted' && showsDeleted(rights));
    },
  );

function claimVisible({ world, person }: Client, reply: Reply, post: Post, isFound: boolean): void {
  world.history.claim(() =>
    postVisibility(world, person, post, reply).has(isFound)
      ? null
      : `${reply.client} ${reply.label} at ${reply.start.toFixed(1)}–${reply.end.toFixed(1)}: ${post.key} is ${isFound ? 'visible' : 'absent'}; ${[
          ...rightsOf(world, person),
          post.life,
        ]
          .map(
            (register) =>
              `${register.name}: ${register.versions
                .map(({ value, outcome, start, end }) => `${value} ${outcome} ${start.toFixed(1)}–${end.toFixed(1)}`)
                .slice(-5)
                .join(', ')}`,
          )
          .join('; ')}`,
  );
}

/** A post or a comment that is forbidden is reported exactly as one that does not exist. */
function claimLooksAbsent({ world }: Client, reply: Reply, resource: string): void {
  world.history.claim(() => {
    const { status, message, code } = reply.body ?? {};
    const isAbsent =
      reply.status === 404 && status === 'error' && code === 400400 && message === `${resource} not found.`;
    return isAbsent
      ? null
      : `${reply.client} ${reply.label}: refused with ${JSON.stringify(reply.body)}, must look absent`;
  });
}

/** Requires that a list of posts shows those of the community that the viewer sees, or of `items` only. */
function claimPosts(
  client: Client,
  reply: Reply,
  {
    what,
    list,
    items = client.world.posts,
    showsDeleted = toNobody,
  }: { what: string; list: Found[]; items?: readonly Post[]; showsDeleted?: ShowsDeleted },
): void {
  const found = new Set(list.flatMap(({ postId, data }) => [postId, keyOf(data?.text)]));
  claimListed(client, reply, {
    what,
    items,
    found,
    isListed: (post) => listVisibility(client.world, client.person, post, reply, showsDeleted),
  });
}

/** A record whose id is known, also a deleted one. */
function pickKnown<Item extends Content>(client: Client, items: readonly Item[]): Item | undefined {
  const known = items.filter(({ id }) => id !== null);
  return known.length > 0 ? client.random.pick(known) : undefined;
}

/** The reads, by name. Each one picks records with the random numbers of its client. */
export const READS: { [name: string]: Read } = {
  async postOverRest(client, options) {
    const post = pickKnown(client, client.world.posts);
    const reply = await read(client, get(`/api/v3/posts/${post?.id ?? MISSING}`), options);
    if (!reply) return;
    if (post) claimVisible(client, reply, post, reply.status === 200);
    if (reply.status !== 200) claimLooksAbsent(client, reply, 'Post');
  },

  async postWithComments(client, options) {
    const post = pickKnown(client, client.world.posts);
    if (!post) return;
    const reply = await read(
      client,
      query(
        `query ($postId: String!) { post(postId: $postId) { ${POST} author { ${USER} } community { ${COMMUNITY} } comments(first: ${WHOLE}) { edges { node { ${COMMENT} author { ${USER} } } } } } }`,
        { postId: post.id },
      ),
      options,
    );
    if (!reply?.body.data) return;
    const found = reply.body.data.post;
    claimVisible(client, reply, post, found !== null);
    if (!found) return;
    const comments = new Set(nodesOf(found.comments).flatMap(({ commentId, data }) => [commentId, keyOf(data?.text)]));
    claimListed(client, reply, {
      what: `comments of ${post.key}`,
      items: post.comments,
      found: comments,
      // The list of a post that is hidden meanwhile may be empty or not.
      isListed: (comment) => {
        const visible = listVisibility(client.world, client.person, comment, reply, toEverybody);
        return postVisibility(client.world, client.person, post, reply).has(false) ? visible.add(false) : visible;
      },
    });
  },

  async posts(client, options) {
    const { world } = client;
    const isRest = client.random.chance(0.5);
    const call = isRest
      ? get(`/api/v5/posts?targetType=community&targetId=${world.communityId}&options[limit]=${WHOLE}`)
      : query(
          `query ($id: String!) { community(communityId: $id) { ${COMMUNITY} posts(first: ${WHOLE}) { edges { node { ${POST} author { ${USER} } } } } } }`,
          { id: world.communityId },
        );
    const reply = await read(client, call, options);
    if (!reply || reply.status === 400) return;
    const list = isRest
      ? (reply.body.posts ?? [])
      : reply.body.data?.community
        ? nodesOf(reply.body.data.community.posts)
        : [];
    claimPosts(client, reply, {
      what: 'posts of the community',
      list,
      showsDeleted: isRest ? moderates : toNobody,
    });
  },

  async contentFeed(client, options) {
    const isRest = client.random.chance(0.3);
    const reply = await read(
      client,
      isRest
        ? get(`/api/v3/content-feeds?options[limit]=${WHOLE}`)
        : query(`{ contentFeed(first: ${WHOLE}) { edges { node { ${POST} author { ${USER} } } } } }`),
      options,
    );
    if (!reply?.body.data) return;
    const { data } = reply.body;
    claimPosts(client, reply, {
      what: 'content feed',
      list: isRest ? data.posts : nodesOf(data.contentFeed),
      showsDeleted: isRest ? moderates : toNobody,
    });
  },

  async search(client, options) {
    const post = pickKnown(client, client.world.posts);
    if (!post) return;
    const reply = await read(
      client,
      query(
        `query ($key: String!) { search(query: $key) { posts(first: 20) { edges { node { post { ${POST} } } } } } }`,
        {
          key: post.key,
        },
      ),
      options,
    );
    if (!reply?.body.data) return;
    const list = nodesOf(reply.body.data.search.posts).map((node) => node.post);
    claimPosts(client, reply, { what: `search for ${post.key}`, list, items: [post] });
  },

  async commentsOverRest(client, options) {
    const post = pickKnown(client, client.world.posts);
    if (post) await read(client, get(`/api/v3/comments?referenceType=post&referenceId=${post.id}`), options);
  },

  async comment(client, options) {
    const post = client.random.pick(client.world.posts);
    const comment = post && pickKnown(client, post.comments);
    if (!comment) return;
    const reply = await read(
      client,
      client.random.chance(0.5)
        ? get(`/api/v3/comments/${comment.id}`)
        : query(`query ($id: String!) { comment(commentId: $id) { ${COMMENT} author { ${USER} } } }`, {
            id: comment.id,
          }),
      options,
    );
    if (!reply) return;
    if (reply.status === 404) claimLooksAbsent(client, reply, 'Comment');
    const isFound = reply.body.data ? reply.body.data.comment !== null : reply.status === 200;
    // Deleted comments and those of deleted posts are shown or not, by rules that other tests check.
    if (isFound)
      client.world.history.derived(reply, `${comment.key}, visible,`, {
        of: rightsOf(client.world, client.person),
        derive: (...rights) => seesInside(rights),
        found: true,
      });
    else
      client.world.history.derived(reply, `${comment.key}, absent,`, {
        of: [...rightsOf(client.world, client.person), comment.life, post.life] as const,
        derive: (isPublic, standing, network, life, postLife) =>
          life !== 'live' || postLife !== 'live' || !seesInside([isPublic, standing, network]),
        found: true,
      });
  },

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

  async categories(client, options) {
    const { categoryId } = client.world;
    const call = client.random.chance(0.5)
      ? get(`/api/v3/community-categories/${categoryId}`)
      : query('query ($id: String!) { category(categoryId: $id) { __typename categoryId name } }', { id: categoryId });
    await read(client, call, options);
  },

  /** A session that has ended is refused by every gateway. */
  async endedSession(client, options) {
    const session = client.ended.at(-1);
    if (session) await request(client, query('{ viewer { userId } }'), { session, ...options });
  },
};
