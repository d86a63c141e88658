import { canAnswerJoinRequests } from '../../../access/join-request.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { CommunityRecord, JoinRequestRecord } from '../../../store/records/community.ts';
import { MAX_IDS } from '../../records-by-ids.ts';
import { uniqueIds } from '../../unique-ids.ts';

const NEWEST_FIRST = { field: 'createdAt', direction: -1, type: 'date' } as const;

/** A page of a community's join requests, newest first; null for users who cannot answer them. */
export async function listCommunityJoinRequests(
  context: Context,
  query: { community: CommunityRecord; status: JoinRequestRecord['status']; request: PageRequest },
): Promise<Page<JoinRequestRecord> | null> {
  const viewer = viewerOf(context);
  const { communityId } = query.community;
  const membership = await context.load.communityUsers.load([communityId, viewer.userId]);
  if (!canAnswerJoinRequests(viewer, membership)) return null;
  return readPage({
    collection: context.store.collections.joinRequests,
    budget: context.reads,
    filter: { networkId: viewer.networkId, targetType: 'community', targetId: communityId, status: query.status },
    order: NEWEST_FIRST,
    request: query.request,
  });
}

/** A page of the viewer's own join requests, newest first, of one status or all, for some communities or all. */
export function listViewerJoinRequests(
  context: Context,
  query: {
    status?: JoinRequestRecord['status'] | null | undefined;
    /** Empty is no condition. */
    communityIds?: readonly string[] | null | undefined;
    request: PageRequest;
  },
): Promise<Page<JoinRequestRecord>> {
  const { networkId, userId } = viewerOf(context);
  return readPage({
    collection: context.store.collections.joinRequests,
    budget: context.reads,
    filter: {
      networkId,
      requestorId: userId,
      ...(query.status && { status: query.status }),
      ...(query.communityIds?.length && {
        targetId: { $in: uniqueIds(query.communityIds, { name: 'communityIds', max: MAX_IDS }) },
      }),
    },
    order: NEWEST_FIRST,
    request: query.request,
  });
}

/** The viewer's newest request to join a community; null if there is none. */
export async function joinRequestOfViewer(
  context: Context,
  { communityId }: Pick<CommunityRecord, 'communityId'>,
): Promise<JoinRequestRecord | null> {
  const requests = await context.load.myJoinRequests.load([viewerOf(context).userId, communityId]);
  return (requests ?? []).reduce<JoinRequestRecord | null>(
    (newest, request) => (newest && newest.createdAt >= request.createdAt ? newest : request),
    null,
  );
}
