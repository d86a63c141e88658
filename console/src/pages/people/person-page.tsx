import {
  ClearUserFlagsDocument,
  DeleteUserDocument,
  PersonDetailsDocument,
  type PersonDetailsQuery,
  UnbanUserDocument,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { useQuery } from '../../api/use-query.ts';
import { Link, pathOf } from '../../router.tsx';
import { useAccess } from '../../session/access-context.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { EmptyState, QueryView } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { BanPerson } from './ban-person.tsx';
import { Bans } from './bans.tsx';
import { ErasureOfPerson } from './erasure-of-person.tsx';
import { ExportOfPerson } from './export-of-person.tsx';
import { PersonBadges } from './person-badges.tsx';
import { RolesOfPerson } from './roles-of-person.tsx';
import { SessionsOfPerson } from './sessions-of-person.tsx';

type PersonDetails = NonNullable<PersonDetailsQuery['user']>;

/** A profile with the actions that the viewer may take. */
export function PersonPage({ userId }: { userId: string }) {
  const query = useQuery(PersonDetailsDocument, { userId });
  const person = query.data?.user;
  return (
    <Page
      title={person?.displayName ?? userId}
      about={<Link href={pathOf('people')}>All people</Link>}
      actions={person && <PersonActions person={person} onDone={query.reload} />}
    >
      <QueryView query={query}>
        {({ user }) =>
          user ? <PersonCards person={user} onDone={query.reload} /> : <EmptyState title="No such user." />
        }
      </QueryView>
    </Page>
  );
}

interface PersonProps {
  person: PersonDetails;
  onDone(): void;
}

function PersonActions({ person: { userId, displayName, ...person }, onDone }: PersonProps) {
  const input = { userId };
  return (
    <>
      {person.flagCount > 0 && person.viewerCanBan && (
        <ConfirmButton
          label="Clear flags"
          title={`Clear the flags of ${displayName}?`}
          success="The flags are cleared."
          act={() => execute(ClearUserFlagsDocument, { input })}
          onDone={onDone}
        >
          All users who flagged this user can flag them again.
        </ConfirmButton>
      )}
      {person.viewerCanBan && !person.isGlobalBan && <BanPerson person={{ userId, displayName }} onDone={onDone} />}
      {person.viewerCanBan && person.isGlobalBan && (
        <ConfirmButton
          label="Lift ban"
          title={`Let ${displayName} sign in again?`}
          success="The ban is lifted."
          act={() => execute(UnbanUserDocument, { input })}
          onDone={onDone}
        >
          They can sign in again.
        </ConfirmButton>
      )}
      {person.viewerCanDelete && !person.isDeleted && (
        <ConfirmButton
          label="Delete account"
          title={`Delete the account of ${displayName}?`}
          success="The account is deleted."
          isDanger
          act={() => execute(DeleteUserDocument, { input })}
          onDone={onDone}
        >
          Their sessions end. This cannot be undone here.
        </ConfirmButton>
      )}
    </>
  );
}

function PersonCards({ person, onDone }: PersonProps) {
  const { userId, permissions } = useAccess();
  const isOwn = person.userId === userId;
  const mayErase = permissions.has('ASSIGN_USER_ROLE') && !isOwn;
  const mayBan = permissions.has('BAN_USER');
  return (
    <div className="columns">
      <Card title="Profile">
        <dl className="details">
          <dt>User id</dt>
          <dd>
            <code>{person.userId}</code>
          </dd>
          <dt>State</dt>
          <dd>
            <PersonBadges person={person} />
          </dd>
          <dt>Description</dt>
          <dd>{person.description || <span className="muted">None</span>}</dd>
          <dt>Created</dt>
          <dd>
            <Time value={person.createdAt} />
          </dd>
          <dt>Changed</dt>
          <dd>
            <Time value={person.updatedAt} />
          </dd>
          <dt>Followers</dt>
          <dd>{person.followCounts.followerCount}</dd>
          <dt>Following</dt>
          <dd>{person.followCounts.followingCount}</dd>
        </dl>
      </Card>
      <RolesOfPerson person={person} onDone={onDone} />
      {(isOwn || mayBan) && <SessionsOfPerson person={person} />}
      {mayBan && (
        <Card title="Bans">
          <Bans key={String(person.isGlobalBan)} userId={person.userId} onLifted={onDone} />
        </Card>
      )}
      {(isOwn || mayErase) && <ExportOfPerson userId={person.userId} />}
      {mayErase && <ErasureOfPerson person={person} onDone={onDone} />}
    </div>
  );
}
