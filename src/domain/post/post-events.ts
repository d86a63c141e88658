import type { NewEvent } from '../../events/append-events.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { PostRecord } from '../../store/records/content.ts';

/** An event about a post. */
export function postEvent(type: NameOf<'post'>, { path, postId }: Pick<PostRecord, 'path' | 'postId'>): NewEvent {
  return { type, path, data: { postId } };
}

/**
 * The events of a post that enters a feed: reviewers are notified of a post in review, mentioned users of a published
 * one.
 */
export function publicationEvents(post: PostRecord): NewEvent[] {
  if (post.feedType === 'reviewing') return [postEvent('post.need-reviewing', post)];
  const mentionsUsers = post.mentionees.some(({ userIds }) => userIds.length > 0);
  return post.feedType === 'published' && mentionsUsers ? [postEvent('mention-post.created', post)] : [];
}
