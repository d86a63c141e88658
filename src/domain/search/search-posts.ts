import type { Context } from '../../context.ts';
import type { Page, PageRequest } from '../../store/page.ts';
import type { PostRecord } from '../../store/records/content.ts';
import { postScope } from '../../store/search/entries.ts';
import { requireTarget } from '../post/feeds/require-target.ts';
import { visiblePosts, withoutBlockedAuthors } from '../post/feeds/visible-posts.ts';
import { filterValues } from '../unique-ids.ts';
import { type SearchHit, searchPage } from './search-page.ts';
import { searchWords } from './search-words.ts';

export interface PostSearch {
  query: string;
  /** Has at least one of these. */
  hashtags?: readonly string[] | null | undefined;
  /** Only posts in communities, or on users' feeds. @default both */
  targetType?: PostRecord['targetType'] | null | undefined;
  /** Only posts of this community or user; needs `targetType`. */
  targetId?: string | null | undefined;
  /** Any of these, of the post itself or of a child post; empty is no condition. */
  dataTypes?: readonly string[] | null | undefined;
  request: PageRequest;
}

/**
 * Published parent posts that the viewer sees, by title, text, tags and hashtags.
 * @throws {OperationError} INVALID_PARAMETERS for bounds; NOT_FOUND when the viewer does not see the target
 */
export async function searchPosts(context: Context, search: PostSearch): Promise<Page<SearchHit<PostRecord>>> {
  const { query, hashtags, targetType, targetId, dataTypes, request } = search;
  const types = filterValues('dataTypes', dataTypes ?? []);
  const words = searchWords(query, hashtags ?? []);
  const target = targetType && targetId ? { targetType, targetId } : null;
  if (target) await requireTarget(context, target);
  return searchPage(context, {
    kind: 'post',
    scopeIds: target && [postScope(target)],
    words,
    request,
    async load(postIds) {
      const posts = await Promise.all(postIds.map((postId) => context.load.posts.load(postId)));
      const candidates = posts.filter(
        (post): post is PostRecord =>
          post?.feedType === 'published' && !post.isDeleted && (!targetType || post.targetType === targetType),
      );
      const seen = await withoutBlockedAuthors(context, await visiblePosts(context, candidates));
      const shown = new Set(types.length === 0 ? seen : await withDataTypes(context, seen, types));
      return posts.map((post) => (post && shown.has(post) ? post : null));
    },
  });
}

/** The type of a post with attachments is that of its child posts. */
async function withDataTypes(
  context: Context,
  posts: readonly PostRecord[],
  types: readonly string[],
): Promise<PostRecord[]> {
  const children = await Promise.all(
    posts.map((post) => Promise.all(post.children.map((postId) => context.load.posts.load(postId)))),
  );
  return posts.filter((post, index) =>
    [post, ...children[index]!].some(
      (candidate) => candidate && !candidate.isDeleted && types.includes(candidate.dataType),
    ),
  );
}
