import { type Context, viewerOf } from '../../../context.ts';
import { membershipIn, withoutEndedBan } from '../../../store/ended-bans.ts';
import type { KeysetOrder } from '../../../store/keyset-query.ts';
import { type Page, type PageRequest, readPage } from '../../../store/page.ts';
import type { CommunityMembership, CommunityUserRecord } from '../../../store/records/community.ts';
import { containsText } from '../../../store/text-filter.ts';
import { memberIdsByName } from '../../search-index/ids-by-name.ts';
import { filterValues } from '../../unique-ids.ts';
import { findInsideCommunity } from '../get-community.ts';

export interface MemberQuery {
  communityId: string;
  /** @default members */
  memberships?: readonly CommunityMembership[] | null | undefined;
  /** Holds at least one of these role ids. */
  roles?: readonly string[] | null | undefined;
  /** Part of the name. */
  search?: string | null | undefined;
  /** @default firstCreated */
  sortBy?: 'displayName' | 'firstCreated' | 'lastCreated' | undefined;
  request: PageRequest;
}

const ORDERS: { [Sort in NonNullable<MemberQuery['sortBy']>]: KeysetOrder } = {
  displayName: { field: 'displayName', direction: 1, type: 'string' },
  firstCreated: { field: 'createdAt', direction: 1, type: 'date' },
  lastCreated: { field: 'createdAt', direction: -1, type: 'date' },
};

/** A page of the memberships of a community; null when the viewer does not see inside it. */
export async function listMembers(context: Context, query: MemberQuery): Promise<Page<CommunityUserRecord> | null> {
  const { networkId } = viewerOf(context);
  const { communityId, roles, search, sortBy = 'firstCreated', request } = query;
  const memberships = new Set(query.memberships?.length ? query.memberships : ['member' as const]);
  const place = await findInsideCommunity(context, communityId);
  if (!place) return null;
  const named = await memberIdsByName(context, { text: search, memberCount: place.community.membersCount });
  const page = await readPage({
    collection: context.store.collections.communityUsers,
    budget: context.reads,
    filter: {
      networkId,
      communityId,
      ...(named && { userId: { $in: named } }),
      ...membershipIn('communityMembership', memberships, () => context.now()),
      ...(roles &&
        roles.length > 0 && { roles: roles.length === 1 ? roles[0]! : { $in: filterValues('roles', roles) } }),
      // In `$and`, because a page sorted by name bounds the same field.
      ...(search && { $and: [{ displayName: containsText(search) }] }),
    },
    order: ORDERS[sortBy],
    request,
  });
  return { ...page, records: page.records.map((member) => withoutEndedBan(member, context.hasPassed)) };
}
