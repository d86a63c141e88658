/** A simple model of a community, its chat and its users, with which the gateway is compared. */
export const MODERATOR = 'mod';
export const PEOPLE = ['mod', 'ann', 'ben', 'cat', 'dan'] as const;
export type Person = (typeof PEOPLE)[number];
/** Upper bounds, so that one query returns all records. */
export const MAX_RECORDS = { posts: 14, comments: 12 };
export const REACTIONS = ['like', 'a.b', '$inc', '__proto__'] as const;

/** The outcome of an operation: done, or its error code. */
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
  /** The users who reacted, by reaction name. */
  reactions: Map<string, Set<Person>>;
}

export interface CommentModel extends Reacted {
  author: Person;
  text: string;
  segment: number;
  /** Index of the parent among the comments of the post; null for a top-level comment. */
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
  /** Its poll, with two answers. */
  poll: PollModel | null;
}

export interface PollModel {
  isMultiple: boolean;
  isClosed: boolean;
  /** Indexes of the answers that each user chose. */
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
  /** Whether posts of members require a review. */
  isReviewed: boolean;
  membership: Map<Person, 'none' | 'member' | 'banned'>;
  moderators: Set<Person>;
  /** Users who are muted in the chat, also after they leave it. */
  muted: Set<Person>;
  posts: PostModel[];
  messages: MessageModel[];
  /** The sequence number up to which each member has read. */
  read: Map<Person, number>;
}

export function newModel(): Model {
  return {
    isReviewed: false,
    membership: new Map(PEOPLE.map((person) => [person, person === MODERATOR ? 'member' : 'none'])),
    moderators: new Set([MODERATOR]),
    muted: new Set(),
    posts: [],
    messages: [],
    read: new Map(),
  };
}

/** A new post of a member, which is in review if the community requires it. */
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

export const isMember = ({ membership }: Model, person: Person): boolean => membership.get(person) === 'member';
export const isBanned = ({ membership }: Model, person: Person): boolean => membership.get(person) === 'banned';
export const moderates = (model: Model, person: Person): boolean =>
  isMember(model, person) && model.moderators.has(person);

export const canSend = (model: Model, person: Person): boolean => isMember(model, person) && !model.muted.has(person);

/**
 * Whether a user sees a post: published posts are visible to everyone who is not banned, unpublished ones also to their
 * author, deleted ones only to moderators.
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

/** The reaction fields of a record as a user sees them. */
export const reactionsOf = (reacted: Reacted, person: Person) => ({
  reactions: { ...countsOf(reacted) },
  myReactions: [...reacted.reactions].flatMap(([name, people]) => (people.has(person) ? [name] : [])).sort(),
});

export const totalOf = (reacted: Reacted): number =>
  [...reacted.reactions.values()].reduce((sum, people) => sum + people.size, 0);

/** The number of undeleted messages by others after the last one that a member has read. */
export function unreadOf({ messages, read }: Model, person: Person): number {
  const upTo = read.get(person) ?? 0;
  return messages.filter(({ segment, isDeleted, author }) => segment > upTo && !isDeleted && author !== person).length;
}

export const pickReaction = (value: number): string => REACTIONS[value % REACTIONS.length]!;

export const react = (reacted: Reacted, name: string, person: Person): void => {
  const people = reacted.reactions.get(name) ?? new Set();
  reacted.reactions.set(name, people.add(person));
};
