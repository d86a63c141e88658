import type {
  ContentTextFragment,
  ModerationKind,
  ModerationQueueFilter,
  QueueEventsSubscription,
  QueueItemFragment,
} from '../../../generated/operations.ts';

export type QueueItem = QueueItemFragment & {
  /** Unique in the queue. */
  id: string;
};

export interface ItemKey {
  kind: ModerationKind;
  itemId: string;
}

export const idOf = ({ kind, itemId }: ItemKey): string => `${kind} ${itemId}`;

export const toItem = (item: QueueItemFragment): QueueItem => ({ ...item, id: idOf(item) });

/** The text of a record, or what it is. */
export function textOf(content: ContentTextFragment): string {
  switch (content.__typename) {
    case 'Post': {
      const { title, text } = content.postData;
      return [title, text].filter(Boolean).join(': ') || `A post of type ${content.dataType}`;
    }
    case 'Comment':
      return stringOf(content.commentData.text) ?? 'A comment without text';
    case 'Story':
      return content.storyData.text || 'A story without text';
    case 'Message':
      return stringOf(content.messageData.text) ?? stringOf(content.messageData.caption) ?? 'A message without text';
    case 'User':
      return [content.displayName, content.description].filter(Boolean).join(': ');
  }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The record of an event, if it may have entered or left the queue. */
export function keyOfEvent(event: QueueEventsSubscription['events']): ItemKey | null {
  switch (event.__typename) {
    case 'PostEvent':
      if (event.type === 'POST_CREATED' && event.post.feedType !== 'REVIEWING') return null;
      return { kind: 'POST', itemId: event.post.postId };
    case 'CommentEvent':
      return { kind: 'COMMENT', itemId: event.comment.commentId };
    case 'StoryEvent':
      return { kind: 'STORY', itemId: event.story.storyId };
    case 'MessageEvent':
      return { kind: 'MESSAGE', itemId: event.chatMessage.messageId };
    case 'UserEvent':
      return { kind: 'USER', itemId: event.user.userId };
    default:
      return null;
  }
}

/** Whether a filter selects an item. */
export function matches(item: QueueItem, { kinds, state, communityId, authorId }: ModerationQueueFilter): boolean {
  return (
    (!kinds?.length || kinds.includes(item.kind)) &&
    (!state || item.states.includes(state)) &&
    (!communityId || item.community?.communityId === communityId) &&
    (!authorId || item.author?.userId === authorId)
  );
}
