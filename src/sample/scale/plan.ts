import type { UserRecord } from '../../store/records/user.ts';
import type { SampleContext } from '../context.ts';
import { createRandom, type Random, scattered, zipfShares } from './random.ts';
import { nameOf } from './words.ts';

/** The numbers of records of a scale, and their distribution by rank. */
export interface Plan {
  context: SampleContext;
  users: number;
  communities: number;
  channels: number;
  /** Members of each community. */
  communityMembers: Int32Array;
  /** Parent posts of each community. */
  communityPosts: Int32Array;
  /** Parent posts on the feed of each user. */
  userPosts: Int32Array;
  /** Comments and reactions of each post, by a number that spreads them over the posts. */
  comments: Int32Array;
  reactions: Int32Array;
  /** Messages of each channel; every fourth channel is a community's. */
  messages: Int32Array;
  /** Which users are in any channel; filled while channels are generated. */
  chatting: Uint8Array;
}

/** Maximum comments or reactions of a post and messages of a channel, so that each fits in memory as a whole. */
const MAX_PER_RECORD = 5_000;

/**
 * For each step of the scale: 1,000 users, who follow about 17 others each, 50 communities, about 5,000 posts, 20,000
 * comments, 20,000 reactions, 200 channels (50 of them the communities' own) and 20,000 messages.
 */
export function createPlan(context: SampleContext, scale: number): Plan {
  const users = 1_000 * scale;
  const communities = 50 * scale;
  const channels = 200 * scale;
  const communityPosts = 3_500 * scale;
  const posts = communityPosts + 900 * scale;
  return {
    context,
    users,
    communities,
    channels,
    communityMembers: zipfShares({ total: 5_000 * scale, count: communities, exponent: 0.9, most: users, least: 5 }),
    communityPosts: zipfShares({ total: communityPosts, count: communities, exponent: 0.9, least: 1 }),
    userPosts: zipfShares({ total: 900 * scale, count: users, exponent: 0.7 }),
    comments: zipfShares({ total: 20_000 * scale, count: posts, exponent: 0.8, most: MAX_PER_RECORD }),
    reactions: zipfShares({ total: 12_000 * scale, count: posts, exponent: 0.8, most: MAX_PER_RECORD }),
    messages: zipfShares({ total: 20_000 * scale, count: channels, exponent: 0.9, most: MAX_PER_RECORD }),
    chatting: new Uint8Array(users),
  };
}

export type Person = Pick<UserRecord, 'userId' | 'displayName'>;

export function person(index: number): Person {
  return { userId: userIdOf(index), displayName: nameOf(index) };
}

export function userIdOf(index: number): string {
  return `user-${padded(index)}`;
}

export function padded(index: number): string {
  return String(index).padStart(7, '0');
}

/** Distinct users, the most active first; the same for the same name. */
export interface Group {
  count: number;
  at(place: number): number;
  /** A random user, more often an active one. */
  any(random: Random): number;
}

export function groupOf(plan: Plan, { name, count }: { name: string; count: number }): Group {
  const at = scattered(plan.users, createRandom(`group/${name}`));
  return { count, at, any: (random) => at(random.skewedBelow(count)) };
}

/** Minutes over which generated content spreads. */
const SPAN = 200 * 24 * 60;

/** The time of the `index`-th of `count` records, in minutes. */
export function momentOf(index: number, count: number): number {
  return 2_000 + Math.floor((index / count) * SPAN);
}
