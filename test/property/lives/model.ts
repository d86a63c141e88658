/** A community, its chat and its people as plain as can be: what the gateway is compared with. */
export const MODERATOR = 'mod';
export const PEOPLE = ['mod', 'ann', 'ben', 'cat', 'dan'] as const;
export type Person = (typeof PEOPLE)[number];
export const REACTIONS = ['like', 'a.b', '$inc', '__proto__'] as const;

/** What an operation comes to: done, or the code of its refusal. */
export type Outcome = 'done' | 'NOT_FOUND' | 'FORBIDDEN' | 'BANNED' | 'PERMISSION_DENIED' | 'BAD_REQUEST';

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
  isDeleted: boolean;
}

export interface PostModel extends Reacted {
  author: Person;
  text: string;
  isEdited: boolean;
  isDeleted: boolean;
  flags: Set<Person>;
  comments: CommentModel[];
  /** Who voted how, on a post that shows a poll of two answers. */
  votes: Map<Person, number> | null;
}

export interface MessageModel extends Reacted {
  author: Person;
  text: string;
  segment: number;
  isDeleted: boolean;
}

export interface Model {
  standing: Map<Person, 'none' | 'member' | 'banned'>;
  moderators: Set<Person>;
  posts: PostModel[];
  messages: MessageModel[];
  /** How far each has read; members alone. */
  read: Map<Person, number>;
}

export function newModel(): Model {
  return {
    standing: new Map(PEOPLE.map((person) => [person, person === MODERATOR ? 'member' : 'none'])),
    moderators: new Set([MODERATOR]),
    posts: [],
    messages: [],
    read: new Map(),
  };
}

export const isMember = ({ standing }: Model, person: Person): boolean => standing.get(person) === 'member';
export const isBanned = ({ standing }: Model, person: Person): boolean => standing.get(person) === 'banned';
export const moderates = (model: Model, person: Person): boolean =>
  isMember(model, person) && model.moderators.has(person);

/** Everybody sees a public community from inside, but for those who are banned; what is deleted moderators alone. */
export const seesPost = (model: Model, person: Person, post: PostModel): boolean =>
  !isBanned(model, person) && (!post.isDeleted || moderates(model, person));

export function countsOf(reacted: Reacted): { [name: string]: number } {
  const counts: { [name: string]: number } = Object.create(null);
  for (const [name, people] of reacted.reactions) if (people.size > 0) counts[name] = people.size;
  return counts;
}

export const totalOf = (reacted: Reacted): number =>
  [...reacted.reactions.values()].reduce((sum, people) => sum + people.size, 0);

/** What others said after the last that a member has read, and did not take back. */
export function unreadOf({ messages, read }: Model, person: Person): number {
  const upTo = read.get(person) ?? 0;
  return messages.filter(({ segment, isDeleted, author }) => segment > upTo && !isDeleted && author !== person).length;
}

export const react = (reacted: Reacted, name: string, person: Person): void => {
  const people = reacted.reactions.get(name) ?? new Set();
  reacted.reactions.set(name, people.add(person));
};
