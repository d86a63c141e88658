/** A community, its chat and its people as plain as can be: what the gateway is compared with. */
export const MODERATOR = 'mod';
export const PEOPLE = ['mod', 'ann', 'ben', 'cat', 'dan'] as const;
export type Person = (typeof PEOPLE)[number];
/** So many of each, that one query shows them all. */
export const MOST = { posts: 14, comments: 12 };
export const REACTIONS = ['like', 'a.b', '$inc', '__proto__'] as const;

/** What an operation comes to: done, or the code of its refusal. */
export type Outcome =
  | 'done'
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'BANNED'
  | 'PERMISSION_DENIED'
  | 'USER_MUTED'
  | 'DUPLICATE'
  | 'BAD_REQUEST'
  | 'INVALID_PARAMETERS';

interface Reacted {
  /** Who reacted, by name. */
  reactions: Map<string, Set<Person>>;
}

export interface CommentModel extends Reacted {
  author: Person;
  text: string;
  segment: number;
  /** Its place among the comments of the post; null for a top-level one. */
  parent: number | null;
  isEdited: boolean;
  isDeleted: boolean;
}

export interface PostModel extends Reacted {
  author: Person;
  text: string;
  state: 'published' | 'reviewing' | 'declined';
  isEdited: boolean;
  isDeleted: boolean;
  flags: Set<Person>;
  comments: CommentModel[];
  /** The poll of two answers that it shows. */
  poll: PollModel | null;
}

export interface PollModel {
  isMultiple: boolean;
  isClosed: boolean;
  /** The places of the answers that each chose. */
  votes: Map<Person, number[]>;
}

export interface MessageModel extends Reacted {
  author: Person;
  text: string;
  segment: number;
  isEdited: boolean;
  isDeleted: boolean;
}

export interface Model {
  /** Whether posts of members wait for a moderator. */
  isReviewed: boolean;
  standing: Map<Person, 'none' | 'member' | 'banned'>;
  moderators: Set<Person>;
  /** Who may not write in the chat, also after having left it. */
  muted: Set<Person>;
  posts: PostModel[];
  messages: MessageModel[];
  /** How far each has read; members alone. */
  read: Map<Person, number>;
}

export function newModel(): Model {
  return {
    isReviewed: false,
    standing: new Map(PEOPLE.map((person) => [person, person === MODERATOR ? 'member' : 'none'])),
    moderators: new Set([MODERATOR]),
    muted: new Set(),
    posts: [],
    messages: [],
    read: new Map(),
  };
}

/** A new post of a member, which waits for a moderator where posts are reviewed. */
export function addPost(model: Model, given: Pick<PostModel, 'author' | 'text' | 'poll'>): void {
  model.posts.push({
    ...given,
    state: model.isReviewed && !moderates(model, given.author) ? 'reviewing' : 'published',
    isEdited: false,
    isDeleted: false,
    flags: new Set(),
    reactions: new Map(),
    comments: [],
  });
}

export const isMember = ({ standing }: Model, person: Person): boolean => standing.get(person) === 'member';
export const isBanned = ({ standing }: Model, person: Person): boolean => standing.get(person) === 'banned';
export const moderates = (model: Model, person: Person): boolean =>
  isMember(model, person) && model.moderators.has(person);

export const maySpeak = (model: Model, person: Person): boolean => isMember(model, person) && !model.muted.has(person);

/**
 * Everybody sees a public community from inside, but for those who are banned; what is deleted moderators alone, and
 * what is not published its author, too.
 */
export const seesPost = (model: Model, person: Person, post: PostModel): boolean => {
  if (isBanned(model, person)) return false;
  if (moderates(model, person)) return true;
  return !post.isDeleted && (post.state === 'published' || post.author === person);
};

function countsOf(reacted: Reacted): { [name: string]: number } {
  const counts: { [name: string]: number } = Object.create(null);
  for (const [name, people] of reacted.reactions) if (people.size > 0) counts[name] = people.size;
  return counts;
}

/** What a record tells of its reactions to somebody. */
export const reactionsOf = (reacted: Reacted, person: Person) => ({
  reactions: { ...countsOf(reacted) },
  myReactions: [...reacted.reactions].flatMap(([name, people]) => (people.has(person) ? [name] : [])).sort(),
});

export const totalOf = (reacted: Reacted): number =>
  [...reacted.reactions.values()].reduce((sum, people) => sum + people.size, 0);

/** What others said after the last that a member has read, and did not take back. */
export function unreadOf({ messages, read }: Model, person: Person): number {
  const upTo = read.get(person) ?? 0;
  return messages.filter(({ segment, isDeleted, author }) => segment > upTo && !isDeleted && author !== person).length;
}

export const pickReaction = (what: number): string => REACTIONS[what % REACTIONS.length]!;

export const react = (reacted: Reacted, name: string, person: Person): void => {
  const people = reacted.reactions.get(name) ?? new Set();
  reacted.reactions.set(name, people.add(person));
};
