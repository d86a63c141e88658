import type { NewEvent } from '../../events/append.ts';
import type { NameOf } from '../../events/catalogue.ts';
import type { PostRecord } from '../../store/records/content.ts';

/** That something happened to a post. */
export function postEvent(type: NameOf<'post'>, { path, postId }: Pick<PostRecord, 'path' | 'postId'>): NewEvent {
  return { type, path, data: { postId } };
}

/** What a post means to others by where it enters: reviewers are told of one in review, the mentioned of one published. */
export function publicationEvents(post: PostRecord): NewEvent[] {
  if (post.feedType === 'reviewing') return [postEvent('post.need-reviewing', post)];
  const mentionsUsers = post.mentionees.some(({ userIds }) => userIds.length > 0);
  return post.feedType === 'published' && mentionsUsers ? [postEvent('mention-post.created', post)] : [];
}
