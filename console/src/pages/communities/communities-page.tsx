import { useState } from 'react';
import { CommunitiesDocument } from '../../../generated/operations.ts';
import { useDebounced } from '../../api/use-debounced.ts';
import { Link, pathOf } from '../../router.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { CommunityPage } from './community-page.tsx';

export function CommunitiesPage({ segments: [communityId] }: { segments: string[] }) {
  return communityId === undefined ? <CommunityList /> : <CommunityPage communityId={communityId} />;
}

function CommunityList() {
  const [text, setText] = useState('');
  const keyword = useDebounced(text.trim());
  return (
    <Page title="Communities" about="Communities that you can see, those with the most members first.">
      <div className="toolbar">
        <SearchField label="Search by name" value={text} onChange={setText} />
      </div>
      <ConnectionTable
        label="Communities"
        document={CommunitiesDocument}
        filters={{ keyword: keyword || null }}
        connectionOf={({ communities }) => communities}
        keyOf={({ id }) => id}
        empty="No community matches."
        columns={() => [
          {
            title: 'Name',
            cell: ({ communityId, displayName }) => (
              <Link href={pathOf('communities', communityId)}>{displayName}</Link>
            ),
          },
          {
            title: 'Kind',
            cell: ({ isPublic, isOfficial }) => (
              <>
                <Badge tone={isPublic ? 'good' : 'neutral'}>{isPublic ? 'Public' : 'Private'}</Badge>
                {isOfficial && <Badge tone="info">Official</Badge>}
              </>
            ),
          },
          { title: 'Members', cell: ({ membersCount }) => membersCount },
          { title: 'Posts', cell: ({ postsCount }) => postsCount },
          { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
        ]}
      />
    </Page>
  );
}
