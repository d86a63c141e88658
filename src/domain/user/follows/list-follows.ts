import type { Filter } from 'mongodb';
import { canSeeFollowRequests } from '../../../access/follow.ts';
import { canSeeUser } from '../../../access/user.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { emptyPage, type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { FollowRecord, UserRecord } from '../../../store/records/user.ts';
import { listBlockedUsers } from '../blocks/list-blocked-users.ts';
import { excludeBlockedAuthors } from '../blocks/without-blocked.ts';
import { seesFeedOfUser } from './feed-privacy.ts';
import { blockedFollow, type Follow, toFollow } from './follow.ts';

/** A follow in a list, which is ordered by its time and internal id. */
export type ListedFollow = Follow & Pick<FollowRecord, '_id'>;

export interface FollowList {
  user: Pick<UserRecord, 'userId'>;
  /** `followers` of the user, or the users whom they follow (`following`). */
  direction: 'followers' | 'following';
  /** null lists accepted follows and those requests that the viewer may see. */
  status: 'pending' | 'accepted' | 'blocked' | null;
  request: PageRequest;
}

const NEWEST_FIRST = { field: 'createdAt', direction: -1, type: 'date' } as const;

/**
 * A page of the followers of a user or of the users they follow, newest first. Requests are visible to the user and to
 * users who edit users; `blocked` lists those whom the viewer blocked, who are in no other list. Empty for users who may
 * not see a private feed.
 */
export async function listFollows(context: Context, list: FollowList): Promise<Page<ListedFollow>> {
  const viewer = viewerOf(context);
  const { user, direction, status, request } = list;
  if (status === 'blocked') return listBlocks(context, list);
  const isForRequests = canSeeFollowRequests(viewer, user);
  if (!isForRequests && (status === 'pending' || !(await seesFeedOfUser(context, user.userId)))) {
    return emptyPage(NEWEST_FIRST);
  }
  const otherOf = (follow: FollowRecord) => (direction === 'followers' ? follow.userId : follow.followedUserId);
  const own = direction === 'followers' ? { followedUserId: user.userId } : { userId: user.userId };
  const statuses = status ? [status] : isForRequests ? (['accepted', 'pending'] as const) : (['accepted'] as const);
  const page = await readPage<FollowRecord>({
    collection: context.store.collections.follows,
    budget: context.reads,
    filter: statuses.map((one): Filter<FollowRecord> => ({ networkId: viewer.networkId, ...own, status: one })),
    order: NEWEST_FIRST,
    request,
    visible: async (follows) => {
      const others = await Promise.all(follows.map((follow) => context.load.users.load(otherOf(follow))));
      const seen = follows.filter((_, index) => others[index] && canSeeUser(viewer, others[index]));
      return excludeBlockedAuthors(context, seen, { authorOf: otherOf, isModerated: () => false });
    },
  });
  return { ...page, records: page.records.map((record) => ({ ...toFollow(record), _id: record._id })) };
}

async function listBlocks(context: Context, { user, direction, request }: FollowList): Promise<Page<ListedFollow>> {
  if (direction !== 'following' || user.userId !== viewerOf(context).userId) return emptyPage(NEWEST_FIRST);
  const page = await listBlockedUsers(context, { request });
  return { ...page, records: page.records.map((block) => ({ ...blockedFollow(block), _id: block._id })) };
}
