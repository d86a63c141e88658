import type { StoryRecord } from '../../store/records/content.ts';

/** Ids of the files in a story's content. */
export function filesOfStory({ data }: Pick<StoryRecord, 'data'>): string[] {
  const { original, low, medium, high } = data.videoFileId ?? {};
  const ids = [data.fileId, data.thumbnailFileId, original, low, medium, high];
  return ids.filter((id): id is string => typeof id === 'string');
}
