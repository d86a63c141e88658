import { Badge } from '../../ui/badge.tsx';
import { Person } from '../../ui/person.tsx';
import { Time } from '../../ui/time.tsx';
import { type QueueItem, textOf } from './queue-item.ts';

interface QueueRowProps {
  item: QueueItem;
  place: { 'aria-setsize': number; 'aria-posinset': number };
  isCurrent: boolean;
  isSelected: boolean;
  onToggle(): void;
  onChoose(): void;
}

/** An item of the queue, of one height for all. */
export function QueueRow({ item, place, isCurrent, isSelected, onToggle, onChoose }: QueueRowProps) {
  const text = textOf(item.content);
  return (
    <li className="queue-item" aria-current={isCurrent} {...place}>
      <input type="checkbox" aria-label={`Select: ${text.slice(0, 80)}`} checked={isSelected} onChange={onToggle} />
      <div>
        <p className="actions one-line">
          <Badge>{item.kind.toLowerCase()}</Badge>
          {item.flagCount > 0 && <Badge tone="warning">Flags: {item.flagCount}</Badge>}
          {item.states.includes('AWAITING_REVIEW') && <Badge tone="info">In review</Badge>}
          <Person person={item.author} /> <Time value={item.createdAt} />
          <span className="muted clip">{item.community?.displayName ?? item.channel?.displayName}</span>
        </p>
        <button type="button" className="row-text" onClick={onChoose}>
          {text}
        </button>
      </div>
    </li>
  );
}
