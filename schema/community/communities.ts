import { getCommunity } from '../../src/domain/community/get-community.ts';
import { listCommunities, listViewerMemberships } from '../../src/domain/community/list-communities.ts';
import type { CommunityRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { Category } from '../category/category.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { MAX_IDS, recordsByIds } from '../shared/ids.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { Community } from './community.ts';

const CommunityConnection = connectionType(Community, 'communities');
const CommunityFilter = restEnum('CommunityFilter', 'Filter of communities by the membership of the viewer.', {
  all: 'All communities visible to the viewer. Default.',
  member: 'Communities of which the viewer is a member.',
  notMember: 'Communities visible to the viewer of which they are not a member.',
});
const CommunitySort = restEnum('CommunitySort', 'Sort order of communities.', {
  lastCreated: 'Newest first, by creation time. Default.',
  firstCreated: 'Oldest first, by creation time.',
  displayName: 'By display name, in ascending order.',
});

builder.queryFields((t) => ({
  communities: t.connection(
    {
      type: Community,
      description: 'The communities that the viewer sees.',
      args: {
        filter: t.arg({
          type: CommunityFilter,
          required: true,
          defaultValue: 'all',
          description: 'By how the viewer stands to them.',
        }),
        keyword: t.arg.string({ description: 'Occurs in the name.' }),
        categoryId: t.arg.string({ description: 'Filed under this category.' }),
        tags: t.arg.stringList({ description: 'Has at least one of these tags.' }),
        sortBy: t.arg({ type: CommunitySort, required: true, defaultValue: 'lastCreated', description: 'The order.' }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Deleted ones only, live ones only, or both (null); deleted ones are for whoever may delete them.',
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
      description: 'The communities that the viewer is a member of, the latest joined first.',
      resolve: async (_, args, context) => {
        const { edges, pageInfo } = toConnection(await listViewerMemberships(context, { request: pageRequest(args) }));
        const communities = await Promise.all(edges.map(({ node }) => context.load.communities.load(node.communityId)));
        return {
          pageInfo,
          edges: edges.map(({ cursor }, index) => ({ cursor, node: communities[index] as CommunityRecord })),
        };
      },
    },
    CommunityConnection,
  ),
}));

builder.objectField(Category, 'communities', (t) =>
  t.connection(
    {
      type: Community,
      description: 'The communities filed under it that the viewer sees, newest first.',
      resolve: async ({ categoryId }, args, context) =>
        toConnection(await listCommunities(context, { categoryId, request: pageRequest(args) })),
    },
    CommunityConnection,
  ),
);

builder.queryField('communitiesByIds', (t) =>
  t.field({
    type: [Community],
    description: 'The communities behind public ids that the viewer sees, in the order asked.',
    args: { communityIds: t.arg.stringList({ required: true, description: `Public ids, ${MAX_IDS} at most.` }) },
    resolve: (_, { communityIds }, context) =>
      recordsByIds(communityIds, (communityId) => getCommunity(context, { communityId })),
  }),
);
