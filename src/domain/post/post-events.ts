import type { NewEvent } from '../../events/append.ts';
import type { PostRecord } from '../../store/records/content.ts';

type PostEventName = Extract<NewEvent, { data: { postId: string } }>['type'];
type Plain = Exclude<PostEventName, 'post.addReaction' | 'post.removeReaction'>;

/** That something happened to a post. */
export function postEvent(type: Plain, { path, postId }: PostRecord): NewEvent {
  return { type, path, data: { postId } };
}

/** What a post means to others by where it enters: reviewers are told of one in review, the mentioned of one published. */
export function enteringEvents(post: PostRecord): NewEvent[] {
  if (post.feedType === 'reviewing') return [postEvent('post.need-reviewing', post)];
  const mentionsUsers = post.mentionees.some(({ userIds }) => userIds.length > 0);
  return post.feedType === 'published' && mentionsUsers ? [postEvent('mention-post.created', post)] : [];
}
