import {
  CommunityDetailsDocument,
  type CommunityDetailsQuery,
  UnpinPostDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useQuery } from '../../api/use-query.ts';
import { Link, pathOf } from '../../router.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Table } from '../../ui/connection-table.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, QueryView } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { CommunityMembers } from './community-members.tsx';

type Community = NonNullable<CommunityDetailsQuery['community']>;

/** The members and pins of a community. */
export function CommunityPage({ communityId }: { communityId: string }) {
  const query = useQuery(CommunityDetailsDocument, { communityId });
  return (
    <Page
      title={query.data?.community?.displayName ?? communityId}
      about={<Link href={pathOf('communities')}>All communities</Link>}
    >
      <QueryView query={query}>
        {({ community }) =>
          community ? (
            <Tabs
              label="Parts of the community"
              tabs={[
                ['Members', <CommunityMembers key="members" communityId={communityId} memberships={['MEMBER']} />],
                ['Banned', <CommunityMembers key="banned" communityId={communityId} memberships={['BANNED']} />],
                ['Pins', <Pins key="pins" community={community} onDone={query.reload} />],
              ]}
            />
          ) : (
            <EmptyState title="No such community." />
          )
        }
      </QueryView>
    </Page>
  );
}

function Pins({ community: { communityId, pins }, onDone }: { community: Community; onDone(): void }) {
  const nodes = pins.edges.map(({ node }) => node);
  if (nodes.length === 0) return <EmptyState title="No post is pinned." />;
  return (
    <Table
      label="Pinned posts"
      nodes={nodes}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Post',
          cell: ({ post }) => <span className="clip">{post?.data.title ?? post?.data.text ?? 'Not visible'}</span>,
        },
        { title: 'Placement', cell: ({ placement }) => placement },
        { title: 'Pinned', cell: ({ pinnedAt }) => <Time value={pinnedAt} /> },
        {
          title: 'Actions',
          isEnd: true,
          cell: ({ post, placement }) =>
            post?.viewerCanPin && (placement === 'DEFAULT' || placement === 'ANNOUNCEMENT') ? (
              <ConfirmButton
                label="Unpin"
                isSmall
                title="Unpin this post?"
                success="The post is unpinned."
                act={() => execute(UnpinPostDocument, { input: { communityId, postId: post.postId, placement } })}
                onDone={onDone}
              >
                The post stays in the community.
              </ConfirmButton>
            ) : null,
        },
      ]}
    />
  );
}
