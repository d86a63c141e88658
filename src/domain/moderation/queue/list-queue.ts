import { z } from 'zod';
import { type Context, viewerOf } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { KeysetOrder } from '../../../store/keyset-query.ts';
import type { Page, PageRequest } from '../../../store/page.ts';
import { flaggedComments, moderatedComment } from '../../comment/queued-comments.ts';
import { QUEUE_KINDS, type QueueKind, type QueueSelection, type QueueSource } from '../../flag/queue-source.ts';
import { id, validate } from '../../input.ts';
import { flaggedMessages, moderatedMessage } from '../../message/moderation/queued-messages.ts';
import { flaggedPosts, moderatedPost, reviewedPosts } from '../../post/moderation/queued-posts.ts';
import { flaggedStories, moderatedStory } from '../../story/queued-stories.ts';
import { flaggedUsers, moderatedUser } from '../../user/moderation/queued-users.ts';
import { moderatedPlaces } from './moderated-places.ts';
import { type QueuedRecord, type QueueItem, type QueueState, toQueueItem } from './queue-item.ts';
import { readQueuePage } from './read-queue.ts';

export const QUEUE_STATES = ['flagged', 'awaitingReview'] as const satisfies readonly QueueState[];
export const QUEUE_SORTS = ['lastCreated', 'firstCreated'] as const;
export type QueueSort = (typeof QUEUE_SORTS)[number];

export const queueInput = z.object({
  kinds: z
    .array(z.enum(QUEUE_KINDS))
    .max(QUEUE_KINDS.length, `at most ${QUEUE_KINDS.length}`)
    .nullish()
    .describe('Only records of these kinds; all by default.'),
  state: z.enum(QUEUE_STATES).nullish().describe('Only flagged records, or only posts that await review.'),
  communityId: id().nullish().describe('Only posts, comments and stories of this community.'),
  channelId: id().nullish().describe('Only messages of this channel. Cannot be combined with `communityId`.'),
  authorId: id(50).nullish().describe('Only content of this user, and the user.'),
  from: z.date().nullish().describe('Only records created at or after this time.'),
  to: z.date().nullish().describe('Only records created before this time.'),
});
export type QueueQuery = z.input<typeof queueInput>;

export interface QueuePage extends Page<QueueItem> {
  /** Whether the viewer moderates more communities or channels than one list covers. */
  omitsPlaces: boolean;
}

/**
 * A page of the records that are flagged or await review, of those that the viewer moderates. Empty for users who
 * moderate none.
 * @throws {OperationError} INVALID_PARAMETERS
 */
export async function listQueue(
  context: Context,
  query: QueueQuery,
  { sortBy, request }: { sortBy?: QueueSort | null | undefined; request: PageRequest },
): Promise<QueuePage> {
  const { kinds, state, communityId = null, channelId = null, authorId = null, from, to } = validate(queueInput, query);
  if (communityId !== null && channelId !== null) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['channelId: not with communityId'],
      path: ['filter', 'channelId'],
    });
  }
  const wanted = kinds?.length ? [...new Set(kinds)] : QUEUE_KINDS;
  const reviewable = state === 'awaitingReview' ? wanted.filter((kind) => kind === 'post') : wanted;
  const { placesOf, omitsOthers } = await moderatedPlaces(context, reviewable, { communityId, channelId });
  const createdAt = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
  const sources = reviewable.flatMap((kind) => {
    const selection: QueueSelection = { places: placesOf(kind), authorId, createdAt };
    return selection.places.length > 0 ? sourcesOf(context, kind, selection, state ?? null) : [];
  });
  const order: KeysetOrder = { field: 'createdAt', direction: sortBy === 'firstCreated' ? 1 : -1, type: 'date' };
  return { ...(await readQueuePage({ sources, order, request, budget: context.reads })), omitsPlaces: omitsOthers };
}

function sourcesOf(
  context: Context,
  kind: QueueKind,
  selection: QueueSelection,
  state: QueueState | null,
): QueueSource[] {
  if (kind !== 'post') return [SOURCES[kind](context, selection)];
  return [
    ...(state !== 'awaitingReview' ? [flaggedPosts(context, selection, { isAlone: state === 'flagged' })] : []),
    ...(state !== 'flagged' ? [reviewedPosts(context, selection)] : []),
  ];
}

const SOURCES = {
  comment: flaggedComments,
  story: flaggedStories,
  message: flaggedMessages,
  user: flaggedUsers,
} satisfies { [Kind in Exclude<QueueKind, 'post'>]: (context: Context, of: QueueSelection) => QueueSource };

const LOADS: { [Kind in QueueKind]: (context: Context, itemId: string) => Promise<QueuedRecord | null> } = {
  post: moderatedPost,
  comment: moderatedComment,
  story: moderatedStory,
  message: moderatedMessage,
  user: moderatedUser,
};

/** An item of the queue; null if it is none, or the viewer does not moderate it. */
export async function getQueueItem(
  context: Context,
  { kind, itemId }: { kind: QueueKind; itemId: string },
): Promise<QueueItem | null> {
  viewerOf(context);
  const record = await LOADS[kind](context, itemId);
  const item = record && toQueueItem(kind, record);
  return item && item.states.length > 0 ? item : null;
}
