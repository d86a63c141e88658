import { type Client, mutation, type Write, type WriteResult, write } from './client.ts';
import type { Call, Reply } from './gateways.ts';
import { Register, type RegistersOf } from './history.ts';
import { observe } from './observe.ts';
import {
  blockOf,
  type Content,
  isIn,
  type Life,
  likeOf,
  type Message,
  moderates,
  type Person,
  type Post,
  type Rights,
  reportOf,
  rightsOf,
  type Standing,
  seesInside,
  type World,
} from './world.ts';

/** Upper bounds, so that one page holds all records. */
const MAX_POSTS = 24;
const MAX_COMMENTS = 16;
const MAX_MESSAGES = 90;

/** Writes something. @returns whether it was done; null when there was nothing to write */
export type WriteOperation = (client: Client) => Promise<WriteResult | null>;

interface Permission<Values extends readonly unknown[]> {
  of: RegistersOf<Values>;
  /** Whether the write is permitted; null where other tests check it. */
  derive: (...values: Values) => boolean | null;
}

/** Executes a write, and checks that it was permitted, or refused, by what was current during the request. */
async function change<const Values extends readonly unknown[]>(
  client: Client,
  given: Write,
  permission?: Permission<Values>,
): Promise<WriteResult | null> {
  const written = await write(client, given, (reply, isDone) => {
    observe(client, reply);
    if (!permission) return;
    client.world.history.derived(reply, 'permission of the write', {
      of: permission.of,
      derive: (...values) => permission.derive(...values) ?? isDone,
      found: isDone,
    });
  });
  return written?.result ?? null;
}

const rest = (method: string, path: string, body?: object): Call => ({ method, path, ...(body && { body }) });
const either = (client: Client, one: Call, other: Call): Call => (client.random.chance(0.5) ? one : other);

const versionOf = (text: string): number => Number(text.split(' v')[1] ?? 0);
/** The next value of a text, with its key as the first word. */
const nextText = ({ key, text }: Content): string => `${key} v${versionOf(text.latest) + 1}`;
const nextName = (register: Register<string>, base: string): string => `${base} v${versionOf(register.latest) + 1}`;

const pickLive = <Item extends Content>(client: Client, items: readonly Item[]): Item | undefined => {
  const live = items.filter(({ id, life }) => id !== null && life.latest === 'live');
  return live.length > 0 ? client.random.pick(live) : undefined;
};

const othersOf = (client: Client): Person[] =>
  [...client.world.people.values()].filter((person) => person !== client.person && !person.isDeleted.latest);

/** Members whose standing may change. */
const subjects = ({ world }: Client): Person[] =>
  [...world.people.values()].filter((person) => changesStanding(world, person));

const changesStanding = (world: World, person: Person): boolean =>
  person !== world.owner && !FIXED.some((name) => world.people.get(name) === person);

/** People with a part of their own in a run, who neither join, leave, nor are banned from the community. */
const FIXED = ['rita', 'eve', 'nora', 'zoe'];

function newContent(world: World, kind: string, author: Person): Content {
  const key = world.nextKey(kind);
  return {
    key,
    id: null,
    author,
    life: new Register<Life>(`${key}.life`, 'none'),
    text: new Register(`${key}.text`, `${key} v0`),
  };
}

/** Moderators of the community, for writes that only they may do; sometimes anybody tries. */
const actsAsModerator = (client: Client): boolean =>
  client.person.standing.latest === 'moderator' || client.random.chance(0.15);

const mayModerate = (client: Client) => ({
  of: rightsOf(client.world, client.person),
  derive: (...rights: Rights) => (client.person.moderatesNetwork.versions.length > 1 ? null : moderates(rights)),
});

/** Whether a person may change content: its author while they see it, and moderators. */
const mayChange = (client: Client, content: Content) => ({
  of: rightsOf(client.world, client.person),
  derive: (...rights: Rights) => {
    if (client.person.moderatesNetwork.versions.length > 1) return null;
    return moderates(rights) || (content.author === client.person && seesInside(rights));
  },
});

const idIn = (
  reply: Reply,
  rest: (body: Reply['body']) => string,
  graphql: (answer: Reply['body']) => string,
): string => (reply.body.data ? graphql(reply.body.data.answer) : rest(reply.body));

export const WRITES: { [name: string]: WriteOperation } = {
  renamesSelf(client) {
    const { person } = client;
    const displayName = nextName(person.displayName, person.userId);
    const call = either(
      client,
      rest('PUT', '/api/v3/users', { userId: person.userId, displayName }),
      mutation('updateUser', { displayName }),
    );
    return change(client, { changes: [[person.displayName, displayName]], call });
  },

  changesPicture(client) {
    const { person } = client;
    const number = Number(/\d+$/.exec(person.avatarUrl.latest ?? '0')![0]) + 1;
    const avatarCustomUrl = `https://pictures.test/${person.userId}/${number}`;
    const call = mutation('updateUser', { avatarCustomUrl });
    return change(client, { changes: [[person.avatarUrl, avatarCustomUrl]], call });
  },

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

  async createsPost(client) {
    const { world, person } = client;
    if (world.posts.length >= MAX_POSTS) return null;
    const post: Post = { ...newContent(world, 'post', person), comments: [], likes: new Map(), flags: new Map() };
    const { communityId } = world;
    world.posts.push(post);
    const data = { text: post.text.latest };
    const call = either(
      client,
      rest('POST', '/api/v4/posts', { targetType: 'community', targetId: communityId, data }),
      mutation('createPost', { targetType: 'COMMUNITY', targetId: communityId, data }, 'post { postId }'),
    );
    const onDone = (reply: Reply): void => {
      post.id = idIn(
        reply,
        ({ posts }) => posts[0].postId,
        (answer) => answer.post.postId,
      );
    };
    return change(
      client,
      { changes: [[post.life, 'live']], call, onDone },
      {
        of: [person.standing, person.moderatesNetwork],
        derive: (standing, network) => (network ? null : isIn(standing)),
      },
    );
  },

  async editsPost(client) {
    const post = pickLive(client, client.world.posts);
    if (!post || post.life.isBusy) return null;
    const data = { text: nextText(post) };
    const call = either(
      client,
      rest('PUT', `/api/v4/posts/${post.id}`, { data }),
      mutation('updatePost', { postId: post.id, data }),
    );
    return change(client, { changes: [[post.text, data.text]], call }, whileLive(mayChange(client, post), post));
  },

  async deletesPost(client) {
    const { world } = client;
    const post = pickLive(client, world.posts);
    if (!post || world.posts.filter(({ life }) => life.latest === 'live').length < 3) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v4/posts/${post.id}`),
      mutation('deletePost', { postId: post.id }),
    );
    return change(client, { changes: [[post.life, 'deleted']], call }, mayChange(client, post));
  },

  async createsComment(client) {
    const { world, person } = client;
    const post = pickLive(client, world.posts);
    if (!post || post.comments.length >= MAX_COMMENTS) return null;
    const comment = newContent(world, 'comment', person);
    post.comments.push(comment);
    const data = { text: comment.text.latest };
    const call = either(
      client,
      rest('POST', '/api/v3/comments', { referenceType: 'post', referenceId: post.id, data }),
      mutation('createComment', { referenceType: 'POST', referenceId: post.id, data }, 'comment { commentId }'),
    );
    const onDone = (reply: Reply): void => {
      comment.id = idIn(
        reply,
        ({ comments }) => comments[0].commentId,
        (answer) => answer.comment.commentId,
      );
    };
    return change(
      client,
      { changes: [[comment.life, 'live']], call, onDone },
      whileLive({ of: rightsOf(world, person), derive: (...rights: Rights) => seesInside(rights) }, post),
    );
  },

  async editsComment(client) {
    const post = pickLive(client, client.world.posts);
    const comment = post && pickLive(client, post.comments);
    if (!comment || comment.life.isBusy) return null;
    const data = { text: nextText(comment) };
    const call = either(
      client,
      rest('PUT', `/api/v3/comments/${comment.id}`, { data }),
      mutation('updateComment', { commentId: comment.id, data }),
    );
    return change(
      client,
      { changes: [[comment.text, data.text]], call },
      whileLive(whileLive(mayChange(client, comment), post), comment),
    );
  },

  async deletesComment(client) {
    const post = pickLive(client, client.world.posts);
    const comment = post && pickLive(client, post.comments);
    if (!comment) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v4/comments/${comment.id}`),
      mutation('deleteComment', { commentId: comment.id }),
    );
    return change(client, { changes: [[comment.life, 'deleted']], call }, whileLive(mayChange(client, comment), post));
  },

  async reacts(client) {
    const { world, person } = client;
    const post = pickLive(client, world.posts);
    if (!post) return null;
    const like = likeOf(post, person);
    const input = { referenceType: 'POST', referenceId: post.id, reactionName: 'like' };
    const isAdding = !like.latest;
    const call = either(
      client,
      rest(isAdding ? 'POST' : 'DELETE', '/api/v2/reactions', { ...input, referenceType: 'post' }),
      mutation(isAdding ? 'addReaction' : 'removeReaction', input),
    );
    return change(
      client,
      { changes: [[like, isAdding]], call },
      whileLive({ of: rightsOf(world, person), derive: (...rights: Rights) => seesInside(rights) }, post),
    );
  },

  async flags(client) {
    const { world, person } = client;
    const post = pickLive(client, world.posts);
    if (!post || post.author === person) return null;
    const flag = reportOf(post, person);
    const isAdding = !flag.latest;
    const call = either(
      client,
      isAdding ? rest('POST', `/api/v3/posts/${post.id}/flag`, {}) : rest('DELETE', `/api/v3/posts/${post.id}/unflag`),
      mutation(isAdding ? 'flagPost' : 'unflagPost', { postId: post.id }),
    );
    return change(client, { changes: [[flag, isAdding]], call });
  },

  async blocks(client) {
    const other = client.random.pick(othersOf(client));
    const block = blockOf(client.person, other);
    const isAdding = !block.latest;
    const call = either(
      client,
      rest(isAdding ? 'POST' : 'DELETE', `/api/v4/me/user-blocks/${other.userId}`),
      mutation(isAdding ? 'blockUser' : 'unblockUser', { userId: other.userId }),
    );
    return change(client, { changes: [[block, isAdding]], call });
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

  async sends(client) {
    const { world, person } = client;
    if (world.messages.length >= MAX_MESSAGES || person.userId.endsWith('rita')) return null;
    const message: Message = { ...newContent(world, 'message', person), segment: null };
    world.messages.push(message);
    const call = mutation(
      'sendMessage',
      { messageFeedId: world.messageFeedId, data: { text: message.text.latest } },
      'chatMessage { messageId segment }',
    );
    const onDone = ({ body }: Reply): void => {
      message.id = body.data.answer.chatMessage.messageId;
      message.segment = body.data.answer.chatMessage.segment;
    };
    return change(
      client,
      { changes: [[message.life, 'live']], call, onDone },
      {
        of: [person.standing, person.isMuted, person.moderatesNetwork],
        derive: (standing, isMuted, network) => (network ? null : isIn(standing) && !isMuted),
      },
    );
  },

  async editsMessage(client) {
    const { world, person } = client;
    const message = pickLive(
      client,
      world.messages.filter(({ author }) => author === person),
    );
    if (!message || message.life.isBusy) return null;
    const data = { text: nextText(message) };
    return change(client, {
      changes: [[message.text, data.text]],
      call: mutation('updateMessage', { messageId: message.id, data }),
    });
  },

  async deletesMessage(client) {
    const { world, person } = client;
    const message = pickLive(
      client,
      world.messages.filter(({ author }) => author === person),
    );
    if (!message) return null;
    const call = either(
      client,
      rest('DELETE', `/api/v5/messages/${message.id}`),
      mutation('deleteMessage', { messageId: message.id }),
    );
    return change(client, { changes: [[message.life, 'deleted']], call });
  },

  async marksRead(client) {
    const { world, person } = client;
    if (person !== world.people.get('rita')) return null;
    const segments = world.messages.flatMap(({ segment }) => (segment === null ? [] : [segment]));
    const readToSegment = Math.max(
      person.readTo.latest,
      ...(segments.length > 0 ? [client.random.pick(segments)] : []),
    );
    if (readToSegment === person.readTo.latest) return null;
    const call = mutation('markRead', { messageFeedId: world.messageFeedId, readToSegment });
    return change(client, { changes: [[person.readTo, readToSegment]], call });
  },

  /** Ends the session on this device and signs in again; the ended token stays in use. */
  async signsOut(client) {
    const { session } = client;
    const call = either(client, rest('DELETE', '/api/v4/sessions'), mutation('revokeSession', {}));
    const written = await write(client, { changes: [[session.hasEnded, true]], call });
    if (written?.result !== 'done') return written?.result ?? null;
    client.ended.push(session);
    client.session = await client.signIn(client.person);
    return 'done';
  },
};

/** Deleted content may still be refused or changed by moderators: only what is live is decided. */
function whileLive(
  { of, derive }: Permission<Rights> | Permission<readonly unknown[]>,
  { life }: Content,
): Permission<readonly unknown[]> {
  return {
    of: [...(of as readonly Register[]), life as Register],
    derive: (...values) =>
      values.at(-1) === 'live' ? (derive as (...rights: unknown[]) => boolean | null)(...values.slice(0, -1)) : null,
  };
}

function pickStanding(client: Client, standing: Standing): Person | undefined {
  const found = subjects(client).filter((person) => person.standing.latest === standing && !person.standing.isBusy);
  return found.length > 0 ? client.random.pick(found) : undefined;
}

/** Whether the database holds this standing: for writes that a broken connection left undecided. */
function resolveStanding({ world }: Client, person: Person, standing: Standing): () => Promise<boolean> {
  return async () => (await world.standingOf(person)) === standing;
}
