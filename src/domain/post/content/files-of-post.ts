import type { PostRecord } from '../../../store/records/content.ts';

/** Ids of all files in the content of a post. */
export function filesOfPost({ data }: Pick<PostRecord, 'data'>): string[] {
  const { original, low, medium, high } = data.videoFileId ?? {};
  return [data.fileId, data.thumbnailFileId, original, low, medium, high].filter(
    (id): id is string => typeof id === 'string',
  );
}
