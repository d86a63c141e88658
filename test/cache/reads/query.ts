import { type Client, isLost, request } from '../client.ts';
import type { Call, Reply } from '../gateways.ts';
import { observe } from '../observe.ts';
import type { Content } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely
export type Found = any;

export const USER = '__typename userId displayName avatarCustomUrl description isGlobalBan isDeleted isBlockedByViewer';
export const COMMENT = '__typename commentId data isDeleted';
export const POST = `__typename postId isDeleted commentsCount reactionsCount flagCount myReactions isFlaggedByViewer viewerCanEdit viewerCanModerate data { text }`;
export const COMMUNITY =
  '__typename communityId displayName isPublic isJoined membersCount viewerCanPost viewerCanEdit';
export const MEMBER = `__typename communityId userId communityMembership roles user { ${USER} }`;

/**
 * The number of records of a list that is read whole: one more is read, and lists of at most 60 are cached. Without
 * `isDeleted`, REST lists show deleted posts to moderators.
 */
export const WHOLE = 50;

/** An id that names no record. */
export const MISSING = 'ffffffffffffffffffffffff';

/** A read picks records with the random numbers of its client, and records what the answer must agree with. */
export type Read = (client: Client, options?: { notTo?: string }) => Promise<void>;

export async function read(client: Client, call: Call, options?: { notTo?: string }): Promise<Reply | null> {
  const reply = await request(client, call, options);
  if (isLost(reply) || reply.status === 401) return null;
  observe(client, reply);
  return reply;
}

export const query = (text: string, variables: Record<string, unknown> = {}): Call => ({ query: text, variables });
export const get = (path: string): Call => ({ method: 'GET', path });
export const nodesOf = (connection: Found): Found[] => connection.edges.map((edge: Found) => edge.node);

/** A record whose id is known, also a deleted one. */
export function pickKnown<Item extends Content>(client: Client, items: readonly Item[]): Item | undefined {
  const known = items.filter(({ id }) => id !== null);
  return known.length > 0 ? client.random.pick(known) : undefined;
}
