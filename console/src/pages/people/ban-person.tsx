import { useState } from 'react';
import { BanUserDocument } from '../../../generated/operations.ts';
import { execute } from '../../api/execute.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Field, Select } from '../../ui/field.tsx';

/** Days until a ban ends by itself; empty for never. */
const ENDS: ReadonlyArray<readonly [days: string, text: string]> = [
  ['', 'Until it is lifted'],
  ['1', 'For a day'],
  ['7', 'For a week'],
  ['30', 'For 30 days'],
];
const DAY_MS = 86_400_000;

interface BanPersonProps {
  person: { userId: string; displayName: string };
  onDone(): void;
}

/** Bans a user from the network, with a reason and an end on request. */
export function BanPerson({ person: { userId, displayName }, onDone }: BanPersonProps) {
  const [reason, setReason] = useState('');
  const [days, setDays] = useState('');
  function ban(): Promise<unknown> {
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    return execute(BanUserDocument, { input: { userId, reason: reason.trim() || null, expiresAt } });
  }
  return (
    <ConfirmButton
      label="Ban"
      title={`Ban ${displayName} from the network?`}
      success={`${displayName} is banned.`}
      isDanger
      act={ban}
      onDone={onDone}
    >
      <div className="form">
        <p>Their sessions end, and they cannot sign in.</p>
        <Select label="End of the ban" options={ENDS} value={days} onChange={setDays} />
        <Field
          label="Reason"
          maxLength={1_000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          hint="For moderators and the audit log; the user does not see it."
        />
      </div>
    </ConfirmButton>
  );
}
