import { ownsVideoStream } from '../../access/video-stream.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { filterValues } from '../unique-ids.ts';
import { canSeeVideoStream } from './get-video-stream.ts';
import { presentVideoStream } from './present-video-stream.ts';

export type VideoStreamSort = 'lastCreated' | 'firstCreated';

export interface VideoStreamList {
  isLive?: boolean | null | undefined;
  /** Any of these; empty is no condition. */
  statuses?: readonly VideoStreamRecord['status'][] | null | undefined;
  /** Streams of any of these users; empty is no condition. */
  userIds?: readonly string[] | null | undefined;
  /** null lists both; owners and moderators see deleted streams. @default false */
  isDeleted?: boolean | null | undefined;
  /** @default lastCreated */
  sort?: VideoStreamSort | null | undefined;
  request: PageRequest;
}

/** A page of the streams that the viewer sees, newest first by default. */
export function listVideoStreams(
  context: Context,
  { isLive, statuses, userIds, isDeleted = false, sort, request }: VideoStreamList,
): Promise<Page<VideoStreamRecord>> {
  const viewer = viewerOf(context);
  return readPage<VideoStreamRecord>({
    collection: context.store.collections.videoStreams,
    budget: context.reads,
    filter: {
      networkId: viewer.networkId,
      ...(isDeleted != null && { isDeleted }),
      ...(isLive != null && { isLive }),
      ...(statuses?.length && { status: { $in: filterValues('statuses', statuses) as typeof statuses } }),
      ...(userIds?.length && { userId: { $in: filterValues('userIds', userIds) } }),
    },
    order: { field: 'createdAt', direction: sort === 'firstCreated' ? 1 : -1, type: 'date' },
    request,
    visible: async (streams) => {
      const listed = streams.filter((stream) => !stream.isDeleted || ownsVideoStream(viewer, stream));
      const seen = await Promise.all(listed.map((stream) => canSeeVideoStream(context, stream)));
      return listed.filter((_, index) => seen[index]).map((stream) => presentVideoStream(context, stream));
    },
  });
}
