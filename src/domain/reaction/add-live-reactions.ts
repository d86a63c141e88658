import { ObjectId } from 'mongodb';
import { z } from 'zod';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { LiveReaction } from '../../events/event-payloads.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { requireStillVisible } from '../community/members/require-still-visible.ts';
import { id, text, validate } from '../input.ts';
import { reactablePost } from '../post/engagement/reactable-post.ts';
import { getPost } from '../post/get-post.ts';
import { requireStillOnFeed } from '../user/follows/require-still-on-feed.ts';

/** Maximum reactions per call: clients collect those of a second. */
export const MAX_LIVE_REACTIONS = 50;

export const liveReaction = z.object({
  reactionName: text({ max: 100 }).describe('Name of the reaction, such as `like`; any name is accepted.'),
  occurredAt: z.date().nullish().describe('Time of the reaction; now by default.'),
});

export const addLiveReactionsInput = z.object({
  postId: id().describe('Id of the post that shows the broadcast, itself or in a child post.'),
  roomId: id().nullish().describe('Id of the room. Exactly one of `roomId` and `streamId` is required.'),
  streamId: id().nullish().describe('Id of the video stream.'),
  reactions: z
    .array(liveReaction)
    .min(1, 'at least 1')
    .max(MAX_LIVE_REACTIONS, `at most ${MAX_LIVE_REACTIONS}`)
    .describe('The reactions, in the order in which they occurred.'),
});

export interface AddedLiveReactions {
  post: PostRecord;
  reactionIds: string[];
}

/**
 * Delivers reactions to the viewers of a room or video stream that has not ended. They are neither stored nor counted: they
 * are not reactions of the post.
 *
 * @throws {OperationError} NOT_FOUND when the viewer does not see the post or the post does not show the broadcast;
 *   BAD_REQUEST for an unpublished post and for a broadcast that has ended; FORBIDDEN on the feed of a user if one of the
 *   two blocks the other; INVALID_PARAMETERS
 */
export async function addLiveReactions(
  context: Context,
  input: z.input<typeof addLiveReactionsInput>,
): Promise<AddedLiveReactions> {
  const { userId, userInternalId } = viewerOf(context);
  const { postId, roomId, streamId, reactions } = validate(addLiveReactionsInput, input);
  if ((roomId == null) === (streamId == null)) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['Exactly one of roomId and streamId is required.'],
      path: ['roomId'],
    });
  }
  await reactablePost(context, postId);
  const post = (await getPost(context, { postId }))!;
  await requireNotEnded(context, post, roomId == null ? { streamId: streamId! } : { roomId });
  const now = context.now();
  const added = reactions.map(
    ({ reactionName, occurredAt }): LiveReaction => ({
      reactionId: new ObjectId().toHexString(),
      reactionName,
      occurredAt: occurredAt ?? now,
    }),
  );
  await context.transaction(async (session) => {
    await requireStillOnFeed(context, session, post);
    if (post.targetType === 'community') await requireStillVisible(context, session, { communityId: post.targetId });
    const data = { postId, userId, userInternalId, reactions: added };
    await appendEvents(context, session, [{ type: 'liveReaction.created', path: `${post.path}/liveReaction`, data }]);
  });
  return { post, reactionIds: added.map(({ reactionId }) => reactionId) };
}

/** Statuses in which a broadcast takes no reactions. Without a media service a broadcast may never become live. */
const ENDED: ReadonlySet<string> = new Set(['ended', 'recorded', 'terminated', 'error']);

/** @throws {OperationError} NOT_FOUND if neither the post nor a child post shows it, BAD_REQUEST if it has ended */
async function requireNotEnded(
  { load }: Context,
  { postId }: PostRecord,
  broadcast: { roomId: string } | { streamId: string },
): Promise<void> {
  const isShown = async (shownIn: string | null) =>
    shownIn === postId || (shownIn !== null && (await load.posts.load(shownIn))?.parentPostId === postId);
  let status: string;
  if ('roomId' in broadcast) {
    const room = await load.rooms.load(broadcast.roomId);
    if (!room || room.isDeleted || !(await isShown(room.referenceId))) throw notFound('Room');
    status = room.status;
  } else {
    const stream = await load.videoStreams.load(broadcast.streamId);
    if (!stream || stream.isDeleted || !(await isShown(stream.postId))) throw notFound('Video stream');
    status = stream.status;
  }
  if (ENDED.has(status)) throw new OperationError('BAD_REQUEST', { message: 'This broadcast has ended.' });
}
