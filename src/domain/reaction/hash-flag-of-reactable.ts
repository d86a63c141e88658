import { canModerateComments } from '../../access/comment.ts';
import { canModeratePosts } from '../../access/post.ts';
import { canManageStories } from '../../access/story.ts';
import type { Context } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { HashFlag, Reactable } from '../../store/records/base.ts';
import type { CommentRecord, PostRecord, StoryRecord } from '../../store/records/content.ts';
import { placeOfComment } from '../comment/get-comment.ts';
import { visibleHashFlag } from '../flag/visible-hash-flag.ts';
import { placeOfPost } from '../post/get-post.ts';
import { placeOfStory } from '../story/get-story.ts';

/** As {@link visibleHashFlag}, of a post, comment or story. */
export function hashFlagOfReactable(context: Context, record: Reactable): MaybePromise<HashFlag | null> {
  return visibleHashFlag(context, record.hashFlag, (viewer) => {
    if ('commentId' in record)
      return whenLoaded(placeOfComment(context, record as CommentRecord), (place) =>
        canModerateComments(viewer, place),
      );
    if ('storyId' in record)
      return whenLoaded(placeOfStory(context, record as StoryRecord), (place) => canManageStories(viewer, place));
    return whenLoaded(placeOfPost(context, record as unknown as PostRecord), (place) =>
      canModeratePosts(viewer, place),
    );
  });
}
