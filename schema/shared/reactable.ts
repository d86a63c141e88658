import type { Context } from '../../src/context.ts';
import { viewerOf } from '../../src/context.ts';
import { reactionCounts } from '../../src/domain/engagement/reaction-names.ts';
import { hashFlagOfReactable } from '../../src/domain/reaction/hash-flag-of-reactable.ts';
import { type MaybePromise, whenAllLoaded, whenLoaded } from '../../src/lib/maybe-promise.ts';
import type { Loader } from '../../src/store/loader.ts';
import { FEW_REACTIONS, type Reactor } from '../../src/store/reactors.ts';
import type { HashFlag, Mentionee, Reactable as ReactableRecord, VideoFileIds } from '../../src/store/records/base.ts';
import type { ReactionRecord } from '../../src/store/records/content.ts';
import { builder } from '../builder.ts';
import { ofRecord, ofRecordIf } from './of-record.ts';
import { restEnum } from './rest-enum.ts';

export const HashFlagType = builder.objectRef<HashFlag>('HashFlag').implement({
  description:
    'A Bloom filter of the ids of users who flagged a record. Clients test with it whether a user flagged the record. For moderators it contains all these users, for others at most the viewer.',
  fields: (t) => ({
    bits: t.exposeInt('bits', { description: 'Size of the filter in bits.' }),
    hashes: t.exposeInt('hashes', { description: 'Hash functions per user id.' }),
    hash: t.exposeStringList('hash', {
      description: 'Bits of the filter as 64-bit words of 16 hexadecimal digits each.',
    }),
  }),
});

export const HASH_FLAG =
  'Filter of the users who flagged the record: all of them for moderators, at most the viewer for others. Null if it is empty.';

export const Reactable = builder.interfaceRef<ReactableRecord>('Reactable').implement({
  description: 'A record that users can react to and flag.',
  fields: (t) => ({
    flagCount: t.exposeInt('flagCount', { description: 'Number of flags.' }),
    hashFlag: t.field({
      type: HashFlagType,
      nullable: true,
      description: HASH_FLAG,
      ...ofRecordIf<ReactableRecord>(({ hashFlag }) => hashFlag === null),
      resolve: (record, _, context) => hashFlagOfReactable(context, record),
    }),
    reactionsCount: t.exposeInt('reactionsCount', { description: 'Number of reactions.' }),
    reactions: t.field({
      type: 'JSONObject',
      description: 'Number of reactions by name.',
      ...ofRecord,
      resolve: ({ reactions }) => reactionCounts(reactions),
    }),
  }),
});

export const MentionType = restEnum('MentionType', 'Kind of mention.', {
  user: 'The users in `userIds`.',
  channel: 'All members of the channel; only in messages.',
});

export const MentioneeType = builder.objectRef<Mentionee>('Mentionee').implement({
  description: 'A group of mentioned users, or a mention of a whole channel.',
  fields: (t) => ({
    type: t.expose('type', { type: MentionType, description: 'Kind of mention.' }),
    userIds: t.exposeStringList('userIds', { description: 'Public ids of the users.' }),
    userInternalIds: t.exposeStringList('userInternalIds', {
      description: 'Internal ids of the users, in the same order.',
    }),
  }),
});

export const VideoFileIdsType = builder.objectRef<VideoFileIds>('VideoFileIds').implement({
  description: 'File ids of a video by quality.',
  fields: (t) => ({
    original: t.string({
      nullable: true,
      description: 'File id of the uploaded video.',
      ...ofRecord,
      resolve: (ids) => ids.original ?? null,
    }),
    low: t.string({
      nullable: true,
      description: 'File id in low quality.',
      ...ofRecord,
      resolve: (ids) => ids.low ?? null,
    }),
    medium: t.string({
      nullable: true,
      description: 'File id in medium quality.',
      ...ofRecord,
      resolve: (ids) => ids.medium ?? null,
    }),
    high: t.string({
      nullable: true,
      description: 'File id in high quality.',
      ...ofRecord,
      resolve: (ids) => ids.high ?? null,
    }),
  }),
});

/** Names of the reactions of the viewer. A record without reactions needs no lookup. */
export function myReactions(
  context: Context,
  type: ReactionRecord['referenceType'],
  id: string,
  count: number,
): MaybePromise<string[]> {
  if (count === 0) return [];
  const viewerId = viewerOf(context).userId;
  const namesOf = (reactions: readonly Reactor[] | null): string[] =>
    (reactions ?? [])
      .filter(({ referenceType, userId }) => referenceType === type && userId === viewerId)
      .map(({ reactionName }) => reactionName);
  // Cached once for all viewers, which costs a little more where nothing is cached.
  if (count <= FEW_REACTIONS && context.config.CACHE_MB > 0) return whenLoaded(context.load.reactors.load(id), namesOf);
  return whenLoaded(context.load.myReactions.load([viewerId, id]), namesOf);
}

/** Records by their ids, in order, without missing ones. */
export function loadAll<Record>(
  loader: Loader<string, Record>,
  ids: ReadonlyArray<string | null | undefined>,
): MaybePromise<Record[]> {
  const loaded: Array<MaybePromise<Record | null>> = [];
  const known = new Set<string>();
  for (const id of ids) {
    if (typeof id !== 'string' || id === '' || known.has(id)) continue;
    known.add(id);
    loaded.push(loader.load(id));
  }
  return whenAllLoaded(loaded, (records) => (records as Array<Record | null>).filter((record) => record !== null));
}
