import { type Context, viewerOf } from '../../src/context.ts';
import { getCommunity } from '../../src/domain/community/get-community.ts';
import { listCommunities, listViewerMemberships } from '../../src/domain/community/list-communities.ts';
import { recommendedCommunities } from '../../src/domain/community/recommended-communities.ts';
import { trendingCommunities } from '../../src/domain/ranking/trending-communities.ts';
import { MAX_IDS, recordsByIds } from '../../src/domain/records-by-ids.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Category } from '../category/category.ts';
import { type ConnectionArgs, pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { User } from '../user/user.ts';
import { Community } from './community.ts';

const CommunityConnection = connectionType(Community, 'communities');
export const CommunityFilter = restEnum('CommunityFilter', 'Filter of communities by the membership of the viewer.', {
  all: 'All communities visible to the viewer. Default.',
  member: 'Communities of which the viewer is a member.',
  notMember: 'Communities visible to the viewer of which they are not a member.',
});
const CommunitySort = restEnum('CommunitySort', 'Sort order of communities.', {
  lastCreated: 'Newest first, by creation time. Default.',
  firstCreated: 'Oldest first, by creation time.',
  displayName: 'By display name, in ascending order.',
  mostMembers: 'Most members first.',
});

builder.queryFields((t) => ({
  communities: t.connection(
    {
      type: Community,
      description: 'Communities that the viewer can see.',
      args: {
        filter: t.arg({
          type: CommunityFilter,
          required: true,
          defaultValue: 'all',
          description: 'Filter by the membership of the viewer.',
        }),
        keyword: t.arg.string({
          description: 'Only records whose display name contains this text, at most 900 characters.',
        }),
        categoryId: t.arg.string({ description: 'Only communities of this category.' }),
        tags: t.arg.stringList({ description: 'Only communities with at least one of these tags, at most 20.' }),
        hasFlag: t.arg.boolean({
          description:
            'Whether to list communities in which a post or comment is flagged (true) or the others (false). Default: both.',
        }),
        sortBy: t.arg({ type: CommunitySort, required: true, defaultValue: 'lastCreated', description: 'Sort order.' }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether to list deleted records (true), existing ones (false, default) or both (null). Deleted records are visible to users who can delete them.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) =>
        toConnection(await listCommunities(context, { ...args, request: pageRequest(args) })),
    },
    CommunityConnection,
  ),
  viewerCommunities: t.connection(
    {
      type: Community,
      description: 'Communities of which the viewer is a member, newest membership first.',
      resolve: (_, args, context) => viewerCommunities(context, args),
    },
    CommunityConnection,
  ),
}));

builder.objectField(User, 'communities', (t) =>
  t.connection(
    {
      type: Community,
      nullable: true,
      description:
        'Communities of which the user is a member, newest membership first. Null for users other than the viewer.',
      resolve: ({ userId }, args, context) =>
        userId === viewerOf(context).userId ? viewerCommunities(context, args) : null,
    },
    CommunityConnection,
  ),
);

async function viewerCommunities(context: Context, args: ConnectionArgs) {
  const { edges, pageInfo } = toConnection(await listViewerMemberships(context, { request: pageRequest(args) }));
  const communities = await Promise.all(edges.map(({ node }) => context.load.communities.load(node.communityId)));
  return {
    pageInfo,
    edges: edges.map(({ cursor }, index) => ({ cursor, node: communities[index] as CommunityRecord })),
  };
}

const INCLUDE_DISCOVERABLE =
  'Whether to list private communities that the viewer cannot see but can request to join. They are absent for other queries until the viewer is a member.';

builder.queryFields((t) => ({
  recommendedCommunities: t.connection(
    {
      type: Community,
      description: 'Communities that the viewer can join or request to join, those with the most members first.',
      args: {
        includeDiscoverable: t.arg.boolean({ defaultValue: false, description: INCLUDE_DISCOVERABLE }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { includeDiscoverable, ...args }, context) =>
        toConnection(await recommendedCommunities(context, { includeDiscoverable, request: pageRequest(args) })),
    },
    CommunityConnection,
  ),
  trendingCommunities: t.connection(
    {
      type: Community,
      description:
        'Communities with the most recent activity: published posts among the 500 newest of the network, with their comments and reactions. The 100 communities with the most members follow.',
      args: {
        includeDiscoverable: t.arg.boolean({ defaultValue: false, description: INCLUDE_DISCOVERABLE }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { includeDiscoverable, ...args }, context) => {
        const page = await trendingCommunities(context, { includeDiscoverable, request: pageRequest(args) });
        const { edges, pageInfo } = toConnection(page);
        return { pageInfo, edges: edges.map(({ node, cursor }) => ({ cursor, node: node.community })) };
      },
    },
    CommunityConnection,
  ),
}));

builder.objectField(Category, 'communities', (t) =>
  t.connection(
    {
      type: Community,
      description: 'Communities of the category that the viewer can see, newest first.',
      resolve: async ({ categoryId }, args, context) =>
        toConnection(await listCommunities(context, { categoryId, request: pageRequest(args) })),
    },
    CommunityConnection,
  ),
);

builder.queryField('communitiesByIds', (t) =>
  t.field({
    type: [Community],
    description:
      'Communities by their public ids, in the order of the ids. Communities that the viewer cannot see are omitted.',
    args: {
      communityIds: t.arg.stringList({ required: true, description: `Public ids of communities, at most ${MAX_IDS}.` }),
    },
    resolve: (_, { communityIds }, context) =>
      recordsByIds(communityIds, { name: 'communityIds' }, (communityId) => getCommunity(context, { communityId })),
  }),
);
