import type { ModerationKind, ModerationState } from '../../../generated/operations.ts';
import { Select } from '../../ui/field.tsx';
import type { QueueQuery } from './use-queue.ts';

const KINDS: ReadonlyArray<readonly [kind: ModerationKind | '', text: string]> = [
  ['', 'All kinds'],
  ['POST', 'Posts'],
  ['COMMENT', 'Comments'],
  ['STORY', 'Stories'],
  ['MESSAGE', 'Messages'],
  ['USER', 'Users'],
];
const STATES: ReadonlyArray<readonly [state: ModerationState | '', text: string]> = [
  ['', 'Flagged or in review'],
  ['FLAGGED', 'Flagged'],
  ['AWAITING_REVIEW', 'In review'],
];
const SORTS = [
  ['LAST_CREATED', 'Newest first'],
  ['FIRST_CREATED', 'Oldest first'],
] as const;

interface QueueFiltersProps {
  query: QueueQuery;
  onChange(query: QueueQuery): void;
}

/** Restricts and sorts the queue. */
export function QueueFilters({ query: { filter, sortBy }, onChange }: QueueFiltersProps) {
  return (
    <div className="toolbar">
      <Select
        label="Kind"
        options={KINDS}
        value={filter.kinds?.[0] ?? ''}
        onChange={(kind) => onChange({ sortBy, filter: { ...filter, kinds: kind ? [kind as ModerationKind] : null } })}
      />
      <Select
        label="State"
        options={STATES}
        value={filter.state ?? ''}
        onChange={(state) => onChange({ sortBy, filter: { ...filter, state: (state as ModerationState) || null } })}
      />
      <Select
        label="Order"
        options={SORTS}
        value={sortBy}
        onChange={(sort) => onChange({ filter, sortBy: sort as QueueQuery['sortBy'] })}
      />
    </div>
  );
}
