import { useState } from 'react';
import { PeopleDocument, type UserFilter } from '../../../generated/operations.ts';
import { useDebounced } from '../../api/use-debounced.ts';
import { useAccess } from '../../session/access-context.ts';
import { ConnectionTable } from '../../ui/connection-table.tsx';
import { Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Person } from '../../ui/person.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { Bans } from './bans.tsx';
import { PersonBadges } from './person-badges.tsx';
import { PersonPage } from './person-page.tsx';

type View = 'all' | 'flagged' | 'deleted';

const VIEWS: ReadonlyArray<readonly [View, string]> = [
  ['all', 'Everybody'],
  ['flagged', 'Flagged'],
  ['deleted', 'Deleted'],
];

export function PeoplePage({ segments: [userId] }: { segments: string[] }) {
  return userId === undefined ? <PeopleList /> : <PersonPage userId={userId} />;
}

function PeopleList() {
  const { permissions } = useAccess();
  const accounts = <Accounts key="accounts" />;
  return (
    <Page title="People" about="Accounts of the network that you can see.">
      {permissions.has('BAN_USER') ? (
        <Tabs
          label="Accounts and bans"
          tabs={[
            ['Accounts', accounts],
            ['Bans', <Bans key="bans" />],
          ]}
        />
      ) : (
        accounts
      )}
    </Page>
  );
}

function Accounts() {
  const [text, setText] = useState('');
  const [view, setView] = useState<View>('all');
  const keyword = useDebounced(text.trim());
  const filter: UserFilter = view === 'flagged' ? 'FLAGGED' : 'ALL';
  return (
    <>
      <div className="toolbar">
        <SearchField label="Search by display name" value={text} onChange={setText} />
        <Select label="Show" options={VIEWS} value={view} onChange={(value) => setView(value as View)} />
      </div>
      <ConnectionTable
        label="People"
        document={PeopleDocument}
        filters={{ keyword: keyword || null, filter, isDeleted: view === 'deleted' }}
        connectionOf={({ users }) => users}
        keyOf={({ id }) => id}
        empty="Nobody matches."
        columns={() => [
          { title: 'Name', cell: (person) => <Person person={person} /> },
          { title: 'User id', cell: ({ userId }) => <code>{userId}</code> },
          { title: 'State', cell: (person) => <PersonBadges person={person} /> },
          { title: 'Since', cell: ({ createdAt }) => <Time value={createdAt} /> },
        ]}
      />
    </>
  );
}
