import { canManageStories } from '../../access/story.ts';
import { type Context, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { type Page, type PageRequest, readPage } from '../../store/page.ts';
import type { StoryRecord } from '../../store/records/content.ts';
import { findInsideCommunity } from '../community/get-community.ts';
import { seesFeedOfUser } from '../user/follows/feed-privacy.ts';

export interface StoryQuery {
  targetType: StoryRecord['targetType'];
  targetId: string;
  /** Also those that are deleted; for managers of stories. @default false */
  withDeleted?: boolean | undefined;
  /** Also those that expired; for managers of stories. @default false */
  withExpired?: boolean | undefined;
  /** @default newest first */
  oldestFirst?: boolean | undefined;
  request: PageRequest;
}

/**
 * A page of the stories of a community or user; null when the viewer does not see the community or the feed.
 *
 * @throws {OperationError} PERMISSION_DENIED for deleted or expired stories, unless the viewer manages stories there
 */
export async function listStories(context: Context, query: StoryQuery): Promise<Page<StoryRecord> | null> {
  const viewer = viewerOf(context);
  const { targetType, targetId, withDeleted = false, withExpired = false } = query;
  const place = targetType === 'community' ? await findInsideCommunity(context, targetId) : null;
  if (targetType === 'community' ? !place : !(await seesFeedOfUser(context, targetId))) return null;
  if ((withDeleted || withExpired) && !canManageStories(viewer, place)) throw new OperationError('PERMISSION_DENIED');
  return readPage({
    collection: context.store.collections.stories,
    budget: context.reads,
    filter: {
      networkId: viewer.networkId,
      targetType,
      targetId,
      ...(!withDeleted && { isDeleted: false }),
      ...(!withExpired && { expiresAt: { $gt: context.now() } }),
    },
    order: { field: 'createdAt', direction: query.oldestFirst ? 1 : -1, type: 'date' },
    request: query.request,
  });
}
