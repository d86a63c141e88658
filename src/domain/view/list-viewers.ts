import { canSeePostViewers } from '../../access/post.ts';
import { canSeeStoryViewers } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { ViewRecord } from '../../store/records/content.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { getPost, placeOfPost } from '../post/get-post.ts';
import { getStory, placeOfStory } from '../story/get-story.ts';

export interface Viewers {
  /** Views, newest first. */
  page: Page<ViewRecord>;
  /** The user of each view, in the same order. */
  users: Array<UserRecord | null>;
}

/**
 * A page of the users who saw a post.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer is its author or moderates posts there
 */
export async function postViewers(
  context: Context,
  { postId, request }: { postId: string; request: PageRequest },
): Promise<Viewers> {
  const post = await getPost(context, { postId });
  if (!post) throw notFound('Post');
  const place = await placeOfPost(context, post);
  if (!canSeePostViewers(viewerOf(context), post, place)) throw new OperationError('PERMISSION_DENIED');
  return viewersOf(context, { referenceType: 'post', referenceId: postId }, request);
}

/**
 * A page of the users who saw a story.
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED unless the viewer created it or manages stories there
 */
export async function storyViewers(
  context: Context,
  { storyId, request }: { storyId: string; request: PageRequest },
): Promise<Viewers> {
  const story = await getStory(context, { storyId });
  if (!story) throw notFound('Story');
  const place = await placeOfStory(context, story);
  if (!canSeeStoryViewers(viewerOf(context), story, place)) throw new OperationError('PERMISSION_DENIED');
  return viewersOf(context, { referenceType: 'story', referenceId: storyId }, request);
}

/** Deleted users still count in `reach`, but are not listed. */
async function viewersOf(
  context: Context,
  reference: Pick<ViewRecord, 'referenceType' | 'referenceId'>,
  request: PageRequest,
): Promise<Viewers> {
  const { networkId } = viewerOf(context);
  const load = (views: readonly ViewRecord[]) =>
    Promise.all(views.map(({ userId }) => context.load.users.load(userId)));
  const page = await readPage<ViewRecord>({
    collection: context.store.collections.views,
    budget: context.reads,
    filter: { networkId, ...reference },
    order: { field: 'createdAt', direction: -1, type: 'date' },
    request,
    visible: async (views) => {
      const users = await load(views);
      return views.filter((_, index) => users[index]?.isDeleted === false);
    },
  });
  return { page, users: await load(page.records) };
}
