import { Button } from '../../ui/button.tsx';
import { DECISIONS, type Decision } from './decisions.ts';
import type { QueueItem } from './queue-item.ts';

interface QueueToolbarProps {
  items: readonly QueueItem[];
  hasMore: boolean;
  selected: readonly QueueItem[];
  onSelect(items: readonly QueueItem[]): void;
  onDecide(decision: Decision): void;
}

/** Selects all loaded items, and decides about the selected ones. */
export function QueueToolbar({ items, hasMore, selected, onSelect, onDecide }: QueueToolbarProps) {
  const offered = DECISIONS.filter((decision) => selected.some((item) => decision.appliesTo(item)));
  const isAll = selected.length === items.length;
  return (
    <div className="toolbar queue-toolbar">
      <label className="actions">
        <input type="checkbox" checked={isAll} onChange={() => onSelect(isAll ? [] : items)} />
        {selected.length > 0 ? `${selected.length} selected` : `Select all ${items.length}${hasMore ? ' loaded' : ''}`}
      </label>
      {offered.map((decision) => (
        <Button
          key={decision.action}
          className="small"
          look={decision.isDanger ? 'danger' : 'plain'}
          onClick={() => onDecide(decision)}
        >
          {decision.label}: the selected
        </Button>
      ))}
    </div>
  );
}
