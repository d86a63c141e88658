import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { CommentRecord } from '../../store/records/content.ts';

/** An event about a comment. */
export function commentEvent(
  type: NameOf<'comment'>,
  { path, commentId }: Pick<CommentRecord, 'path' | 'commentId'>,
): NewEvent {
  return { type, path, data: { commentId } };
}
