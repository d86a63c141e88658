import type { NetworkKeysQuery } from '../../../generated/operations.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';

export type NetworkKey = NetworkKeysQuery['networkKeys'][number];

export function KeyState({ networkKey: { expiresAt, hasExpired } }: { networkKey: NetworkKey }) {
  if (expiresAt === null) return <Badge tone="good">Valid</Badge>;
  return (
    <>
      <Badge tone={hasExpired ? 'neutral' : 'warning'}>{hasExpired ? 'Ended' : 'Ends'}</Badge>
      <Time value={expiresAt} />
    </>
  );
}

/** With the first characters of the value, by which its holders recognize it. */
export function KeyName({ networkKey: { name, prefix } }: { networkKey: NetworkKey }) {
  return (
    <>
      <strong>{name}</strong>
      {prefix !== null && (
        <div>
          <code>{prefix}…</code>
        </div>
      )}
    </>
  );
}
