import { useState } from 'react';
import {
  type ErasedContent,
  EraseUserDocument,
  PersonErasureDocument,
  type PersonErasureQuery,
} from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { usePolling } from '../../api/use-polling.ts';
import { useQuery } from '../../api/use-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const INTERVAL_MS = 5_000;

const CONTENT: ReadonlyArray<readonly [ErasedContent, string]> = [
  ['KEEP', 'Keep content, without a name'],
  ['REMOVE', 'Remove content'],
];

interface ErasureProps {
  person: { userId: string; displayName: string };
  onDone(): void;
}

/** How far the erasure of a person's data is, or the button that starts it. */
export function ErasureOfPerson({ person, onDone }: ErasureProps) {
  const query = useQuery(PersonErasureDocument, { userId: person.userId });
  usePolling(query.reload, INTERVAL_MS);
  function reload(): void {
    query.reload();
    onDone();
  }
  return (
    <Card title="Erasure">
      <QueryView query={query}>
        {({ userErasure }) =>
          userErasure ? <Progress erasure={userErasure} /> : <StartErasure person={person} onDone={reload} />
        }
      </QueryView>
    </Card>
  );
}

function Progress({ erasure }: { erasure: NonNullable<PersonErasureQuery['userErasure']> }) {
  const { state, content, requestedAt, completedAt, completedSteps, totalSteps } = erasure;
  return (
    <p>
      <Badge tone={state === 'COMPLETED' ? 'good' : 'info'}>
        {state === 'COMPLETED' ? 'Completed' : `Step ${completedSteps.length + 1} of ${totalSteps}`}
      </Badge>
      {content === 'KEEP' ? 'Content is kept. ' : 'Content is removed. '}
      Requested <Time value={requestedAt} />
      {completedAt && (
        <>
          , completed <Time value={completedAt} />
        </>
      )}
    </p>
  );
}

function StartErasure({ person: { userId, displayName }, onDone }: ErasureProps) {
  const [content, setContent] = useState<ErasedContent>('KEEP');
  const [reason, setReason] = useState('');
  return (
    <ConfirmButton
      label="Erase data"
      isDanger
      title={`Erase the data of ${displayName}?`}
      success="The erasure has started."
      act={() => execute(EraseUserDocument, { input: { userId, content, reason: reason.trim() } })}
      onDone={onDone}
    >
      <div className="form">
        <p>
          The account is deleted, and then the profile, the copies of the name, files and devices. This cannot be
          undone.
        </p>
        <Select
          label="Content of the person"
          options={CONTENT}
          value={content}
          onChange={(value) => setContent(value as ErasedContent)}
        />
        <Field
          label="Reason"
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          hint="Required, and kept in the audit log: name a request number, not the person."
        />
      </div>
    </ConfirmButton>
  );
}
