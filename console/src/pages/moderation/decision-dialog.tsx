import { useState } from 'react';
import type { ResolveModerationItemsInput } from '../../../generated/operations.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { ENDS, endOf, periodOf } from '../../ui/terms-button.tsx';
import { type BanPlace, banPlaces, type Decision } from './decisions.ts';
import { type QueueItem, textOf } from './queue-item.ts';

export interface Pending {
  decision: Decision;
  items: readonly QueueItem[];
}

export type Terms = Partial<Pick<ResolveModerationItemsInput, 'reason' | 'banFrom' | 'banExpiresAt'>>;

interface DecisionDialogProps {
  pending: Pending;
  isRunning: boolean;
  onDecide(terms: Terms): void;
  onClose(): void;
}

const PLACES: { [Place in BanPlace]: string } = {
  NETWORK: 'From the network',
  COMMUNITY: 'From the community',
  CHANNEL: 'From the channel',
};

/** Confirms a decision about one or several items, with one reason. */
export function DecisionDialog({ pending: { decision, items }, isRunning, onDecide, onClose }: DecisionDialogProps) {
  const places = commonPlaces(items);
  const [reason, setReason] = useState('');
  const [place, setPlace] = useState<BanPlace | undefined>(places[0]);
  const [days, setDays] = useState('');
  const isBan = decision.action === 'BAN_AUTHOR';
  function decide(): void {
    const banExpiresAt = endOf(periodOf(days));
    onDecide({ reason: reason.trim() || null, ...(isBan && { banFrom: place ?? null, banExpiresAt }) });
  }
  return (
    <ConfirmDialog
      isOpen
      title={`${decision.label}: ${items.length === 1 ? 'one item' : `${items.length} items`}?`}
      label={decision.label}
      isDanger={decision.isDanger}
      isRunning={isRunning}
      onConfirm={decide}
      onClose={onClose}
    >
      <div className="form">
        {items.length === 1 && items[0] && <p className="clip">{textOf(items[0].content)}</p>}
        <p>{decision.consequence}</p>
        {isBan && (
          <>
            <Select
              label="Ban from"
              options={places.map((one) => [one, PLACES[one]] as const)}
              value={place}
              onChange={(value) => setPlace(value as BanPlace)}
            />
            <Select label="End of the ban" options={ENDS} value={days} onChange={setDays} />
          </>
        )}
        <Field
          label="Reason"
          maxLength={1_000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          hint="For moderators and the audit log; the author does not see it."
        />
      </div>
    </ConfirmDialog>
  );
}

/** From what the authors of all items can be banned. */
function commonPlaces(items: readonly QueueItem[]): BanPlace[] {
  const [first, ...others] = items;
  return first ? banPlaces(first).filter((place) => others.every((item) => banPlaces(item).includes(place))) : [];
}
