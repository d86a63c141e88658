import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { CommentRecord } from '../../store/records/content.ts';
import { storyEvent } from '../story/story-events.ts';

/** An event about a comment. */
export function commentEvent(
  type: NameOf<'comment'>,
  { path, commentId }: Pick<CommentRecord, 'path' | 'commentId'>,
): NewEvent {
  return { type, path, data: { commentId } };
}

/** The event that the comments of a story changed; none for comments on other records. */
export function commentedStoryEvents({
  referenceType,
  referenceId: storyId,
  path,
}: Pick<CommentRecord, 'referenceType' | 'referenceId' | 'path'>): NewEvent[] {
  if (referenceType !== 'story') return [];
  return [storyEvent('story.updated', { storyId, path: path.slice(0, path.lastIndexOf('/comment/')) })];
}
