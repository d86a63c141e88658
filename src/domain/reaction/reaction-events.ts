import type { NewEvent } from '../../events/append-events.ts';
import { reactionSnapshot } from '../../events/reaction-snapshot.ts';
import type { ReactionRecord } from '../../store/records/content.ts';

/** The event for an added or removed reaction; `path` is the path of the record it refers to. */
export function reactionEvent(
  what: 'added' | 'removed',
  { reaction: record, path }: { reaction: ReactionRecord; path: string },
): NewEvent {
  const { referenceType, referenceId } = record;
  const isAdded = what === 'added';
  const reaction = reactionSnapshot(record);
  switch (referenceType) {
    case 'post':
      return {
        type: isAdded ? 'post.addReaction' : 'post.removeReaction',
        path,
        data: { postId: referenceId, reaction },
      };
    case 'comment':
      return {
        type: isAdded ? 'comment.addReaction' : 'comment.removeReaction',
        path,
        data: { commentId: referenceId, reaction },
      };
    case 'story':
      return {
        type: isAdded ? 'story.reactionAdded' : 'story.reactionRemoved',
        path,
        data: { storyId: referenceId, reaction },
      };
    case 'message':
      return {
        type: isAdded ? 'message.reactionAdded' : 'message.reactionRemoved',
        path,
        data: { messageId: referenceId, reaction },
      };
  }
}
