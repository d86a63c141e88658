import { ownsVideoStream } from '../../access/video-stream.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { PostRecord } from '../../store/records/content.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { getPost } from '../post/get-post.ts';
import { presentVideoStream } from './present-video-stream.ts';

/** A live stream, or null unless the viewer owns it, moderates, or sees the post that contains it. */
export async function getVideoStream(
  context: Context,
  { streamId }: { streamId: string },
): Promise<VideoStreamRecord | null> {
  viewerOf(context);
  const stream = await context.load.videoStreams.load(streamId);
  return stream && (await canSeeVideoStream(context, stream)) ? presentVideoStream(context, stream) : null;
}

export async function canSeeVideoStream(context: Context, stream: VideoStreamRecord): Promise<boolean> {
  if (ownsVideoStream(viewerOf(context), stream)) return true;
  return stream.postId !== null && (await getPost(context, { postId: stream.postId })) !== null;
}

/**
 * The child streams of a stream that the viewer sees. A child in no post of its own is part of its parent; another one is
 * visible where its post is.
 */
export async function childStreamsOf(
  context: Context,
  { childStreamIds }: VideoStreamRecord,
): Promise<VideoStreamRecord[]> {
  const found = await Promise.all(childStreamIds.map((streamId) => context.load.videoStreams.load(streamId)));
  const children = found.filter((child) => child !== null);
  const seen = await Promise.all(
    children.map(async (child) => child.postId === null || (await canSeeVideoStream(context, child))),
  );
  return children.filter((_, index) => seen[index]).map((child) => presentVideoStream(context, child));
}

/** The live stream of a post, visible to everybody who sees the post; null if the post has none. */
export function videoStreamOfPost(context: Context, { data }: PostRecord): MaybePromise<VideoStreamRecord | null> {
  if (!data.streamId) return null;
  return whenLoaded(
    context.load.videoStreams.load(data.streamId),
    (stream) => stream && presentVideoStream(context, stream),
  );
}
