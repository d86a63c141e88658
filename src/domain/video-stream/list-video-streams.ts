import { type Context, viewerOf } from '../../context.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { VideoStreamRecord } from '../../store/records/media.ts';
import { canSeeVideoStream } from './get-video-stream.ts';
import { presentVideoStream } from './present-video-stream.ts';

export interface VideoStreamList {
  isLive?: boolean | null | undefined;
  request: PageRequest;
}

/** A page of the streams that the viewer sees, newest first. */
export function listVideoStreams(
  context: Context,
  { isLive, request }: VideoStreamList,
): Promise<Page<VideoStreamRecord>> {
  const { networkId } = viewerOf(context);
  return readPage<VideoStreamRecord>({
    collection: context.store.collections.videoStreams,
    budget: context.reads,
    filter: { networkId, isDeleted: false, ...(isLive != null && { isLive }) },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (streams) => {
      const seen = await Promise.all(streams.map((stream) => canSeeVideoStream(context, stream)));
      return streams.filter((_, index) => seen[index]).map((stream) => presentVideoStream(context, stream));
    },
  });
}
