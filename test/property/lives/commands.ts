import fc from 'fast-check';
import { expect } from 'vitest';
import { compare } from './compare.ts';
import {
  isBanned,
  isMember,
  MODERATOR,
  type Model,
  moderates,
  type Outcome,
  PEOPLE,
  type Person,
  REACTIONS,
  react,
  seesPost,
} from './model.ts';
import type { Real } from './real.ts';

/** What somebody does next. The same numbers mean the same thing again, so that a failing life can be told and shrunk. */
export interface Deed {
  who: Person;
  /** The person, post or message that it is done to, as far as there are so many. */
  which: number;
  /** The comment of that post. */
  inner: number;
  /** What is said, chosen or read. */
  what: number;
}

type Act = (model: Model, real: Real, deed: Deed) => Promise<void>;

const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(items.length, 1)];
const places = <Item>(items: readonly Item[]): number[] => items.map((_, place) => place);

/** Carries out a mutation and holds its outcome against what the model expects. */
async function agree(
  real: Real,
  expected: Outcome,
  [as, operation, input, selection]: [as: Person, operation: string, input: object, selection?: string],
  // biome-ignore lint/suspicious/noExplicitAny: answers are read freely
): Promise<any> {
  const { outcome, payload } = await real.change(as, operation, input, selection);
  expect(outcome, `${operation} by ${as}`).toBe(expected);
  return payload;
}

const ACTS: { readonly [name: string]: Act } = {
  async joins(model, real, { who }) {
    const expected = isBanned(model, who) ? 'BANNED' : 'done';
    await agree(real, expected, [who, 'joinCommunity', { communityId: real.communityId }]);
    if (expected !== 'done' || isMember(model, who)) return;
    model.standing.set(who, 'member');
    // Who joins has nothing unread.
    model.read.set(who, Math.max(model.read.get(who) ?? 0, model.messages.length));
  },

  async leaves(model, real, { who }) {
    if (who === MODERATOR || !isMember(model, who)) return;
    await agree(real, 'done', [who, 'leaveCommunity', { communityId: real.communityId }]);
    model.standing.set(who, 'none');
    model.moderators.delete(who);
  },

  async bans(model, real, { who, which }) {
    const other = PEOPLE[1 + (which % (PEOPLE.length - 1))]!;
    if (who === other || !isMember(model, other) || model.moderators.has(other)) return;
    const expected = moderates(model, who) ? 'done' : isBanned(model, who) ? 'BANNED' : 'PERMISSION_DENIED';
    await agree(real, expected, [
      who,
      'banCommunityMembers',
      { communityId: real.communityId, userIds: [real.nameOf(other)] },
    ]);
    if (expected === 'done') model.standing.set(other, 'banned');
  },

  async unbans(model, real, { which }) {
    const banned = PEOPLE.filter((person) => isBanned(model, person));
    const other = pick(banned, which);
    if (!other) return;
    await agree(real, 'done', [
      MODERATOR,
      'unbanCommunityMembers',
      { communityId: real.communityId, userIds: [real.nameOf(other)] },
    ]);
    model.standing.set(other, 'none');
  },

  async promotes(model, real, { which }) {
    const other = PEOPLE[1 + (which % (PEOPLE.length - 1))]!;
    if (!isMember(model, other)) return;
    const roles = { communityId: real.communityId, roleIds: ['community-moderator'], userIds: [real.nameOf(other)] };
    const isAdding = !model.moderators.has(other);
    await agree(real, 'done', [MODERATOR, isAdding ? 'addCommunityRoles' : 'removeCommunityRoles', roles]);
    if (isAdding) model.moderators.add(other);
    else model.moderators.delete(other);
  },

  async posts(model, real, { who, what }) {
    const expected = isMember(model, who) ? 'done' : isBanned(model, who) ? 'BANNED' : 'FORBIDDEN';
    const text = `Post ${what}`;
    const input = { targetType: 'COMMUNITY', targetId: real.communityId, data: { text } };
    const made = await agree(real, expected, [who, 'createPost', input, 'post { postId }']);
    if (expected !== 'done') return;
    model.posts.push({
      author: who,
      text,
      isEdited: false,
      isDeleted: false,
      flags: new Set(),
      reactions: new Map(),
      comments: [],
      votes: null,
    });
    real.posts.push({ postId: made.post.postId, pollId: null, answerIds: [], comments: [] });
  },

  async edits(model, real, { who, which, what }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    if (!post || post.isDeleted) return;
    const expected = !seesPost(model, who, post)
      ? 'NOT_FOUND'
      : mayChange(model, who, post)
        ? 'done'
        : 'PERMISSION_DENIED';
    const text = `Edited ${what}`;
    await agree(real, expected, [who, 'updatePost', { postId: real.posts[place!]!.postId, data: { text } }]);
    if (expected === 'done') Object.assign(post, { text, isEdited: true });
  },

  async deletes(model, real, { who, which }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    if (!post || post.isDeleted) return;
    const expected = !seesPost(model, who, post)
      ? 'NOT_FOUND'
      : mayChange(model, who, post)
        ? 'done'
        : 'PERMISSION_DENIED';
    await agree(real, expected, [who, 'deletePost', { postId: real.posts[place!]!.postId }]);
    if (expected === 'done') post.isDeleted = true;
  },

  async comments(model, real, { who, which, inner, what }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    if (!post || post.isDeleted) return;
    const known = real.posts[place!]!;
    const tops = places(post.comments).filter(
      (index) => post.comments[index]!.parent === null && !post.comments[index]!.isDeleted,
    );
    const parent = inner % 2 === 0 ? null : (pick(tops, inner) ?? null);
    const expected = isBanned(model, who) ? 'NOT_FOUND' : 'done';
    const text = `Comment ${what}`;
    const input = {
      referenceType: 'POST',
      referenceId: known.postId,
      data: { text },
      ...(parent !== null && { parentId: known.comments[parent] }),
    };
    const made = await agree(real, expected, [who, 'createComment', input, 'comment { commentId }']);
    if (expected !== 'done') return;
    post.comments.push({
      author: who,
      text,
      parent,
      segment: post.comments.length + 1,
      isDeleted: false,
      reactions: new Map(),
    });
    known.comments.push(made.comment.commentId);
  },

  async takesBackComment(model, real, { who, which, inner }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    const index = pick(places(post?.comments ?? []), inner);
    const comment = post?.comments[index ?? -1];
    if (!post || !comment || post.isDeleted || comment.isDeleted) return;
    const expected = isBanned(model, who) ? 'NOT_FOUND' : mayChange(model, who, comment) ? 'done' : 'PERMISSION_DENIED';
    await agree(real, expected, [who, 'deleteComment', { commentId: real.posts[place!]!.comments[index!] }]);
    if (expected === 'done') comment.isDeleted = true;
  },

  async reacts(model, real, { who, which, what }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    if (!post || post.isDeleted) return;
    const reactionName = pick(REACTIONS, what)!;
    const has = post.reactions.get(reactionName)?.has(who) ?? false;
    // The second time it is taken back.
    const operation = has ? 'removeReaction' : 'addReaction';
    const expected = isBanned(model, who) ? 'NOT_FOUND' : 'done';
    const input = { referenceType: 'POST', referenceId: real.posts[place!]!.postId, reactionName };
    await agree(real, expected, [who, operation, input]);
    if (expected !== 'done') return;
    if (has) post.reactions.get(reactionName)!.delete(who);
    else react(post, reactionName, who);
  },

  async reactsToComment(model, real, { who, which, inner, what }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    const index = pick(places(post?.comments ?? []), inner);
    const comment = post?.comments[index ?? -1];
    if (!post || !comment || post.isDeleted) return;
    const reactionName = pick(REACTIONS, what)!;
    const expected = isBanned(model, who) || comment.isDeleted ? 'NOT_FOUND' : 'done';
    const input = { referenceType: 'COMMENT', referenceId: real.posts[place!]!.comments[index!], reactionName };
    await agree(real, expected, [who, 'addReaction', input]);
    if (expected === 'done') react(comment, reactionName, who);
  },

  async flags(model, real, { who, which }) {
    const place = pick(places(model.posts), which);
    const post = model.posts[place ?? -1];
    if (!post || post.isDeleted) return;
    const has = post.flags.has(who);
    const expected = isBanned(model, who) ? 'NOT_FOUND' : 'done';
    await agree(real, expected, [who, has ? 'unflagPost' : 'flagPost', { postId: real.posts[place!]!.postId }]);
    if (expected !== 'done') return;
    if (has) post.flags.delete(who);
    else post.flags.add(who);
  },

  async says(model, real, { who, what }) {
    const expected = isMember(model, who) ? 'done' : isBanned(model, who) ? 'NOT_FOUND' : 'FORBIDDEN';
    const text = `Message ${what}`;
    const input = { messageFeedId: real.messageFeedId, data: { text } };
    const sent = await agree(real, expected, [who, 'sendMessage', input, 'chatMessage { messageId }']);
    if (expected !== 'done') return;
    const segment = model.messages.length + 1;
    model.messages.push({ author: who, text, segment, isDeleted: false, reactions: new Map() });
    // Who speaks has read.
    model.read.set(who, segment);
    real.messages.push(sent.chatMessage.messageId);
  },

  async takesBack(model, real, { who, which }) {
    const place = pick(places(model.messages), which);
    const message = model.messages[place ?? -1];
    if (!message || message.isDeleted) return;
    const expected = isBanned(model, who) ? 'NOT_FOUND' : mayChange(model, who, message) ? 'done' : 'PERMISSION_DENIED';
    await agree(real, expected, [who, 'deleteMessage', { messageId: real.messages[place!] }]);
    if (expected === 'done') message.isDeleted = true;
  },

  async reads(model, real, { who, what }) {
    const expected = isMember(model, who) ? 'done' : isBanned(model, who) ? 'NOT_FOUND' : 'FORBIDDEN';
    const input = { messageFeedId: real.messageFeedId, readToSegment: what };
    await agree(real, expected, [who, 'markRead', input]);
    if (expected === 'done')
      model.read.set(who, Math.max(model.read.get(who) ?? 0, Math.min(what, model.messages.length)));
  },

  async looks(model, real) {
    await compare(model, real);
  },
};

const mayChange = (model: Model, who: Person, { author }: { author: Person }): boolean =>
  author === who || moderates(model, who);

class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #deed: Deed;

  constructor(name: string, deed: Deed) {
    this.#name = name;
    this.#deed = deed;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): Promise<void> {
    return ACTS[this.#name]!(model, real, this.#deed);
  }

  toString(): string {
    const { who, which, inner, what } = this.#deed;
    return `${who} ${this.#name} ${which} ${inner} ${what}`;
  }
}

const deed = fc.record({
  who: fc.constantFrom(...PEOPLE),
  which: fc.nat(20),
  inner: fc.nat(20),
  what: fc.nat(20),
});

/** A life: some dozens of deeds. */
export const life = fc.commands(
  Object.keys(ACTS).map((name) => deed.map((chosen) => new Command(name, chosen))),
  { maxCommands: 60, size: 'max' },
);
