import { type Context, viewerOf } from '../../../context.ts';
import { decodeRecords } from '../../../store/decode.ts';
import { MAX_PAGE_MS } from '../../../store/keyset.ts';
import type { Loaders } from '../../../store/loaders.ts';

/** Maximum channels of a user that a list searches. */
export const MAX_JOINED = 2_000;

/** By the loaders of a request, the user and the limit, so that several lists of one request read the ids once. */
const idsByRequest = new WeakMap<Loaders, Map<string, Promise<string[]>>>();

/** Ids of the channels that a user is a member of, at most `limit`, most recently active first. */
export function channelIdsOfMember(context: Context, userId: string, limit = MAX_JOINED): Promise<string[]> {
  const known = idsByRequest.get(context.load) ?? new Map<string, Promise<string[]>>();
  idsByRequest.set(context.load, known);
  const key = `${limit} ${userId}`;
  const reading = known.get(key) ?? readChannelIds(context, userId, limit);
  known.set(key, reading);
  return reading;
}

async function readChannelIds(context: Context, userId: string, limit: number): Promise<string[]> {
  const { networkId } = viewerOf(context);
  const found = await context.store.collections.channelUsers
    .find({ networkId, userId, membership: 'member' }, { raw: true, maxTimeMS: MAX_PAGE_MS })
    .sort({ lastActivity: -1, _id: -1 })
    .limit(limit)
    .project({ _id: 0, channelId: 1 })
    .toArray();
  const memberships = await decodeRecords(found as unknown as Buffer[], context.reads);
  return memberships.map(({ channelId }) => channelId as string);
}
