import {
  PersonSessionsDocument,
  type PersonSessionsQuery,
  RevokeSessionsDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { type Column, Table } from '../../ui/connection-table.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

type Session = PersonSessionsQuery['userSessions'][number];

interface SessionsProps {
  person: { userId: string; displayName: string };
}

/** The sessions of a user, which end singly or together. */
export function SessionsOfPerson({ person: { userId, displayName } }: SessionsProps) {
  const query = useQuery(PersonSessionsDocument, { userId });
  return (
    <Card title="Sessions">
      <QueryView query={query}>
        {({ userSessions }) =>
          userSessions.length === 0 ? (
            <p className="muted">Not signed in anywhere.</p>
          ) : (
            <>
              <Table
                label={`Sessions of ${displayName}`}
                columns={columnsOf(userId, query.reload)}
                nodes={userSessions}
                keyOf={({ sessionId }) => sessionId}
              />
              <ConfirmButton
                label="End all sessions"
                title={`End all sessions of ${displayName}?`}
                success="The sessions have ended."
                isDanger
                act={() => execute(RevokeSessionsDocument, { input: { userId } })}
                onDone={query.reload}
              >
                Their connections close on all devices. They can sign in again.
              </ConfirmButton>
            </>
          )
        }
      </QueryView>
    </Card>
  );
}

function columnsOf(userId: string, reload: () => void): ReadonlyArray<Column<Session>> {
  return [
    {
      title: 'Device',
      cell: ({ deviceId, isOfRequest }) => (
        <>
          {deviceId === null ? <span className="muted">Login link</span> : <code className="id">{deviceId}</code>}{' '}
          {isOfRequest && <Badge tone="info">This one</Badge>}
        </>
      ),
    },
    { title: 'Signed in', cell: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Ends', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
    {
      title: 'Actions',
      isEnd: true,
      cell: ({ sessionId }) => (
        <ConfirmButton
          label="End"
          title="End this session?"
          success="The session has ended."
          isSmall
          act={() => execute(RevokeSessionsDocument, { input: { userId, sessionId } })}
          onDone={reload}
        >
          The device is signed out. The user can sign in again.
        </ConfirmButton>
      ),
    },
  ];
}
