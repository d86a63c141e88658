import { type ReactNode, useState } from 'react';
import { ConfirmButton } from './confirm-button.tsx';
import { Field, Select } from './field.tsx';

/** Days until a ban or mute ends by itself; empty for never. */
export const ENDS: ReadonlyArray<readonly [days: string, text: string]> = [
  ['', 'Until it is lifted'],
  ['1', 'For a day'],
  ['7', 'For a week'],
  ['30', 'For 30 days'],
];
const DAY_MS = 86_400_000;

/** Milliseconds of one of {@link ENDS}; null for never. */
export const periodOf = (days: string): number | null => (days === '' ? null : Number(days) * DAY_MS);

export const endOf = (periodMs: number | null): string | null =>
  periodMs === null ? null : new Date(Date.now() + periodMs).toISOString();

export interface GivenTerms {
  reason: string | null;
  /** null: without an end. */
  periodMs: number | null;
}

interface TermsButtonProps {
  label: string;
  title: string;
  /** Label of the field for the end. */
  endLabel: string;
  /** The longest period that can be chosen. @default no limit */
  maxDays?: number;
  /** What happens. */
  children: ReactNode;
  success: string;
  isDanger?: boolean;
  isSmall?: boolean;
  act(terms: GivenTerms): Promise<unknown>;
  onDone?(): void;
}

/** A button for a ban or mute, whose dialog takes a reason and an end. */
export function TermsButton({ endLabel, maxDays, children, act, ...button }: TermsButtonProps) {
  const [reason, setReason] = useState('');
  const [days, setDays] = useState('');
  const ends = ENDS.filter(([period]) => maxDays === undefined || Number(period) <= maxDays);
  return (
    <ConfirmButton {...button} act={() => act({ reason: reason.trim() || null, periodMs: periodOf(days) })}>
      <div className="form">
        <p>{children}</p>
        <Select label={endLabel} options={ends} value={days} onChange={setDays} />
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
