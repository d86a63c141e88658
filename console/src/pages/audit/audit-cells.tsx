import type { AuditActorKind, AuditLogQuery } from '../../../generated/operations.ts';
import { Link, pathOf } from '../../router.tsx';
import { Person } from '../../ui/person.tsx';
import { SUBJECTS } from './subjects.ts';

export type AuditEntry = AuditLogQuery['auditLog']['edges'][number]['node'];

const ACTORS: { readonly [Kind in Exclude<AuditActorKind, 'USER'>]: string } = {
  OPERATOR: 'An operator at the command line',
  SERVER_KEY: 'The server of the application',
  SYSTEM: 'The gateway',
};

export function Actor({ entry: { actorKind, actor, actorId } }: { entry: AuditEntry }) {
  if (actor) return <Person person={actor} />;
  return actorKind === 'USER' ? <code>{actorId}</code> : ACTORS[actorKind];
}

export function AffectedUser({ entry: { affectedUser, affectedUserId } }: { entry: AuditEntry }) {
  if (affectedUser) return <Person person={affectedUser} />;
  return affectedUserId && <code>{affectedUserId}</code>;
}

/** The record, and the community or channel that contains it. */
export function Subject({ entry: { subjectType, subjectId, communityId, channelId } }: { entry: AuditEntry }) {
  return (
    <>
      {SUBJECTS[subjectType]} <code className="id">{subjectId}</code>
      {communityId && communityId !== subjectId && (
        <div>
          in <Link href={pathOf('communities', communityId)}>{communityId}</Link>
        </div>
      )}
      {channelId && channelId !== subjectId && (
        <div>
          in <Link href={pathOf('channels', channelId)}>{channelId}</Link>
        </div>
      )}
    </>
  );
}

export function Remarks({ entry: { reason, details } }: { entry: AuditEntry }) {
  const hasDetails = Object.keys(details).length > 0;
  return (
    <>
      {reason && <span className="clip">{reason}</span>}
      {hasDetails && (
        <details>
          <summary>Details</summary>
          <pre>{JSON.stringify(details, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

export function Origin({ entry: { transport, address } }: { entry: AuditEntry }) {
  return (
    <>
      {transport}
      {address && (
        <div>
          <code>{address}</code>
        </div>
      )}
    </>
  );
}
