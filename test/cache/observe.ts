import type { Client } from './client.ts';
import type { Reply } from './gateways.ts';
import {
  type Content,
  countRange,
  isIn,
  likeOf,
  moderates,
  type Person,
  type Post,
  reportOf,
  rightsOf,
  type Standing,
  seesCommunity,
} from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely
type Found = any;

/** The types of the records in the side arrays of a REST answer. */
const SIDE_ARRAYS: { [name: string]: string } = {
  users: 'User',
  communities: 'Community',
  communityUsers: 'CommunityUser',
  posts: 'Post',
  comments: 'Comment',
  messages: 'Message',
  categories: 'Category',
};

/** Records every known field of every known record in an answer, wherever it is. */
export function observe(client: Client, reply: Reply): void {
  if (reply.status >= 400 || !reply.body) return;
  const take = (type: string, record: Found): void => OBSERVERS[type]?.({ client, reply, record });
  const { status, data } = reply.body;
  // One REST answer is wrapped: docs/interface.md#content-feed.
  const arrays = status === 'success' ? data : reply.body;
  if (arrays === reply.body && data !== undefined) walk(data, take);
  for (const [name, type] of Object.entries(SIDE_ARRAYS)) {
    for (const record of arrays[name] ?? []) take(type, record);
  }
}

function walk(value: Found, take: (type: string, record: Found) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.__typename === 'string') take(value.__typename, value);
  for (const inner of Object.values(value)) walk(inner, take);
}

interface Observed {
  client: Client;
  reply: Reply;
  record: Found;
}

const OBSERVERS: { [type: string]: (observed: Observed) => void } = {
  User({ client: { world, person: viewer }, reply, record }) {
    const user = findPerson(world.people.values(), record.userId);
    if (!user) return;
    const { history } = world;
    if (record.displayName !== undefined && record.isDeleted === false)
      history.saw(user.displayName, record.displayName, reply);
    if (record.avatarCustomUrl !== undefined && record.isDeleted === false)
      history.saw(user.avatarUrl, record.avatarCustomUrl, reply);
    if (record.description !== undefined && record.isDeleted === false)
      history.saw(user.description, record.description, reply);
    if (record.isGlobalBan !== undefined) history.saw(user.isBannedFromNetwork, record.isGlobalBan, reply);
    if (record.isDeleted !== undefined) history.saw(user.isDeleted, record.isDeleted, reply);
    if (record.isBlockedByViewer !== undefined) {
      const block = viewer.blocks.get(user.userId);
      if (block) history.saw(block, record.isBlockedByViewer, reply);
    }
  },

  Community({ client: { world, person: viewer }, reply, record }) {
    if (record.communityId !== world.communityId) return;
    const { history } = world;
    history.derived(reply, 'the community, visible,', {
      of: rightsOf(world, viewer),
      derive: (...rights) => seesCommunity(rights),
      found: true,
    });
    if (record.displayName !== undefined) history.saw(world.displayName, record.displayName, reply);
    if (record.isPublic !== undefined) history.saw(world.isPublic, record.isPublic, reply);
    if (record.isJoined !== undefined)
      history.derived(reply, 'isJoined', { of: [viewer.standing], derive: isIn, found: record.isJoined });
    if (record.viewerCanPost !== undefined && viewer.moderatesNetwork.versions.length === 1)
      history.derived(reply, 'viewerCanPost', { of: [viewer.standing], derive: isIn, found: record.viewerCanPost });
    if (record.viewerCanEdit !== undefined)
      history.derived(reply, 'viewerCanEdit of the community', {
        of: rightsOf(world, viewer),
        derive: (...rights) => moderates(rights),
        found: record.viewerCanEdit,
      });
    if (record.membersCount !== undefined)
      claimCount(world.history, reply, 'membersCount', record.membersCount, () =>
        countRange(
          reply,
          [...world.people.values()].map(({ standing }) => standing),
          isIn,
        ),
      );
  },

  CommunityUser({ client: { world }, reply, record }) {
    if (record.communityId !== world.communityId) return;
    const user = findPerson(world.people.values(), record.userId);
    if (user) world.history.saw(user.standing, standingOf(record), reply);
  },

  Post({ client: { world, person: viewer }, reply, record }) {
    const post = findContent(world.posts, record.postId, record.data?.text);
    if (!post) return;
    const { history } = world;
    observeContent(world.history, post, { reply, record });
    if (record.commentsCount !== undefined)
      claimCount(history, reply, `${post.key}.commentsCount`, record.commentsCount, () =>
        countRange(
          reply,
          post.comments.map(({ life }) => life),
          (life) => life === 'live',
        ),
      );
    if (record.reactionsCount !== undefined)
      claimCount(history, reply, `${post.key}.reactionsCount`, record.reactionsCount, () =>
        countRange(reply, post.likes.values(), (isSet) => isSet),
      );
    if (record.flagCount !== undefined)
      claimCount(history, reply, `${post.key}.flagCount`, record.flagCount, () =>
        countRange(reply, post.flags.values(), (isSet) => isSet),
      );
    if (record.myReactions !== undefined && post.likes.has(viewer.userId))
      history.saw(likeOf(post, viewer), record.myReactions.includes('like'), reply);
    if (record.isFlaggedByViewer !== undefined && post.flags.has(viewer.userId))
      history.saw(reportOf(post, viewer), record.isFlaggedByViewer, reply);
    observeRights({ world, viewer, post }, { reply, record });
  },

  Comment({ client: { world }, reply, record }) {
    const key = keyOf(record.data?.text);
    for (const post of world.posts) {
      const comment = post.comments.find(({ id, key: own }) => id === record.commentId || (id === null && own === key));
      if (comment) return observeContent(world.history, comment, { reply, record });
    }
  },

  Message({ client: { world }, reply, record }) {
    const message = findContent(world.messages, record.messageId, record.data?.text);
    if (message) observeContent(world.history, message, { reply, record });
  },

  Category({ client: { world }, reply, record }) {
    if (record.categoryId === world.categoryId && record.name !== undefined)
      world.history.saw(world.categoryName, record.name, reply);
  },
};

function observeRights(
  { world, viewer, post }: { world: Client['world']; viewer: Person; post: Post },
  { reply, record }: Pick<Observed, 'reply' | 'record'>,
): void {
  const { history } = world;
  const of = rightsOf(world, viewer);
  if (record.viewerCanModerate !== undefined)
    history.derived(reply, `viewerCanModerate of ${post.key}`, {
      of,
      derive: (...rights) => moderates(rights),
      found: record.viewerCanModerate,
    });
  if (record.viewerCanEdit !== undefined)
    history.derived(reply, `viewerCanEdit of ${post.key}`, {
      of: [...of, post.life] as const,
      derive: (isPublic, standing, network, life) =>
        life === 'live' && (post.author === viewer || moderates([isPublic, standing, network])),
      found: record.viewerCanEdit,
    });
}

function observeContent(
  history: Client['world']['history'],
  content: Content,
  { reply, record }: Pick<Observed, 'reply' | 'record'>,
): void {
  if (record.isDeleted !== undefined) history.saw(content.life, record.isDeleted ? 'deleted' : 'live', reply);
  if (typeof record.data?.text === 'string') history.saw(content.text, record.data.text, reply);
}

function claimCount(
  history: Client['world']['history'],
  reply: Reply,
  what: string,
  found: number,
  range: () => readonly [number, number],
): void {
  history.claim(() => {
    const [atLeast, atMost] = range();
    if (found >= atLeast && found <= atMost) return null;
    return `${reply.client} ${reply.label} at ${reply.start.toFixed(1)}–${reply.end.toFixed(1)}: ${what} is ${found}, must be from ${atLeast} to ${atMost}`;
  });
}

export { claimCount };

function standingOf({ communityMembership, roles }: Found): Standing {
  const membership = String(communityMembership).toLowerCase();
  if (membership === 'banned') return 'banned';
  if (membership !== 'member') return 'none';
  return roles.includes('community-moderator') ? 'moderator' : 'member';
}

export function findPerson(people: Iterable<Person>, userId: string): Person | undefined {
  for (const person of people) if (person.userId === userId) return person;
  return undefined;
}

/** The first word of a text. */
export const keyOf = (text: unknown): string | null => (typeof text === 'string' ? text.split(' ')[0]! : null);

function findContent<Item extends Content>(contents: readonly Item[], id: string, text: unknown): Item | undefined {
  const key = keyOf(text);
  return contents.find((content) => content.id === id || (content.id === null && content.key === key));
}
