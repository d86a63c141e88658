import { type History, Register, type Request, type Version } from './history.ts';

/** A user's relation to the community. */
export type Standing = 'none' | 'member' | 'moderator' | 'banned';

export interface Person {
  userId: string;
  displayName: Register<string>;
  avatarUrl: Register<string | null>;
  /** Written by a process that is no gateway. */
  description: Register<string>;
  isBannedFromNetwork: Register<boolean>;
  isDeleted: Register<boolean>;
  standing: Register<Standing>;
  /** Whether they hold `moderator` in the network. */
  moderatesNetwork: Register<boolean>;
  isMuted: Register<boolean>;
  readTo: Register<number>;
  /** Whether they have blocked a user, by user id. */
  blocks: Map<string, Register<boolean>>;
}

export type Life = 'none' | 'live' | 'deleted';

/** A record that users create. Its key is the first word of its text, by which lists of unknown outcome find it. */
export interface Content {
  key: string;
  /** Unknown until its creation is acknowledged. */
  id: string | null;
  author: Person;
  life: Register<Life>;
  text: Register<string>;
}

export interface Post extends Content {
  comments: Content[];
  likes: Map<string, Register<boolean>>;
  flags: Map<string, Register<boolean>>;
}

export interface Message extends Content {
  segment: number | null;
}

export interface World {
  history: History;
  /** Users, by the name that they have in this run. */
  people: Map<string, Person>;
  owner: Person;
  communityId: string;
  channelId: string;
  messageFeedId: string;
  displayName: Register<string>;
  isPublic: Register<boolean>;
  categoryId: string;
  categoryName: Register<string>;
  posts: Post[];
  messages: Message[];
  /** A person's standing in the database. */
  standingOf(person: Person): Promise<Standing>;
  /** Creates a key that no other record has. */
  nextKey(kind: string): string;
}

export function createPerson(userId: string): Person {
  const named = <Value>(name: string, initial: Value) => new Register<Value>(`${userId}.${name}`, initial);
  return {
    userId,
    displayName: named('displayName', userId),
    avatarUrl: named<string | null>('avatarCustomUrl', null),
    description: named('description', ''),
    isBannedFromNetwork: named('isGlobalBan', false),
    isDeleted: named('isDeleted', false),
    standing: named<Standing>('standing', 'none'),
    moderatesNetwork: named('moderatesNetwork', false),
    isMuted: named('isMuted', false),
    readTo: named('readToSegment', 0),
    blocks: new Map(),
  };
}

/** The register of a flag that a person sets, by their user id; created on first use. */
export function flagOf(flags: Map<string, Register<boolean>>, userId: string, name: string): Register<boolean> {
  const known = flags.get(userId);
  if (known) return known;
  const created = new Register(`${name} of ${userId}`, false);
  flags.set(userId, created);
  return created;
}

export const blockOf = (person: Person, other: Person): Register<boolean> =>
  flagOf(person.blocks, other.userId, `block by ${person.userId}`);
export const likeOf = (post: Post, person: Person): Register<boolean> =>
  flagOf(post.likes, person.userId, `${post.key} like`);
export const reportOf = (post: Post, person: Person): Register<boolean> =>
  flagOf(post.flags, person.userId, `${post.key} flag`);

/** The registers on which a person's rights in the community depend, in the order of {@link Rights}. */
export const rightsOf = (world: World, person: Person) =>
  [world.isPublic, person.standing, person.moderatesNetwork] as const;

export type Rights = readonly [isPublic: boolean, standing: Standing, moderatesNetwork: boolean];

export const isIn = (standing: Standing): boolean => standing === 'member' || standing === 'moderator';
export const seesCommunity = ([isPublic, standing, moderatesNetwork]: Rights): boolean =>
  moderatesNetwork || isPublic || isIn(standing);
export const seesInside = ([isPublic, standing, moderatesNetwork]: Rights): boolean =>
  moderatesNetwork || (standing !== 'banned' && (isPublic || isIn(standing)));
export const moderates = ([, standing, moderatesNetwork]: Rights): boolean =>
  moderatesNetwork || standing === 'moderator';

/** How many registers certainly satisfy a condition during a request, and how many may. */
export function countRange<Value>(
  request: Request,
  registers: Iterable<Register<Value>>,
  holds: (value: Value) => boolean,
): [atLeast: number, atMost: number] {
  let atLeast = 0;
  let atMost = 0;
  for (const register of registers) {
    const values = register.values(request);
    if (values.every(holds)) atLeast += 1;
    if (values.some(holds)) atMost += 1;
  }
  return [atLeast, atMost];
}

export type Change = readonly [register: Register<never> | Register, value: unknown];

/** Begins to write registers; null while one of them is being written. */
export function beginWrite(changes: readonly Change[]): { versions: Version<unknown>[]; end(): void } | null {
  const registers = changes.map(([register]) => register as Register);
  if (registers.some(({ isBusy }) => isBusy)) return null;
  const start = performance.now();
  for (const register of registers) register.isBusy = true;
  return {
    versions: changes.map(([, value], index) => registers[index]!.begin(value, start)),
    end() {
      for (const register of registers) register.isBusy = false;
    },
  };
}
