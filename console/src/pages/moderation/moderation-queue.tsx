import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Person } from '../../ui/person.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ACTS, type Act } from './acts.ts';
import { ContentActions } from './content-columns.tsx';
import type { ContentItem } from './content-item.ts';
import { KeyList } from './key-list.tsx';
import { useCurrent } from './use-current.ts';
import { useQueueKeys } from './use-queue-keys.ts';

interface Pending {
  act: Act;
  items: readonly ContentItem[];
}

/** A page of items that is worked through by keyboard, one item or several at a time. */
export function ModerationQueue({ items, onChange }: { items: readonly ContentItem[]; onChange(): void }) {
  const [current, setCurrent] = useCurrent(items);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [pending, setPending] = useState<Pending | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const { isRunning, run } = useAction();
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const selected = items.filter(({ id }) => selection.has(id));

  function toggle(id: string): void {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    setSelection(next);
  }

  async function resolve({ act, items: targets }: Pending): Promise<void> {
    const count = targets.length === 1 ? 'One item is' : `${targets.length} items are`;
    await run(async () => {
      for (const target of targets) await target[act.name]?.();
    }, `${count} ${act.done}.`);
    setPending(null);
    setSelection(new Set());
    onChange();
  }

  function start(act: Act): void {
    if (isRunning) return;
    const targets = (selected.length > 0 ? selected : items.slice(current, current + 1)).filter(
      (item) => item[act.name],
    );
    if (targets.length === 0) return;
    const asked = { act, items: targets };
    if (act.isDanger || targets.length > 1) setPending(asked);
    else void resolve(asked);
  }

  useQueueKeys({
    j: () => setCurrent(current + 1),
    k: () => setCurrent(current - 1),
    s: () => items[current] && toggle(items[current].id),
    '?': () => setShowsKeys(true),
    ...Object.fromEntries(ACTS.map((act) => [act.key, () => start(act)])),
  });

  return (
    <>
      {items.length === 0 ? (
        <EmptyState title="Nothing to moderate.">Content appears here by itself.</EmptyState>
      ) : (
        <>
          <QueueToolbar
            items={items}
            selected={selected}
            onSelect={(chosen) => setSelection(new Set(chosen.map(({ id }) => id)))}
            onAct={start}
          />
          <ul className="table-box event-log" ref={list}>
            {items.map((item, index) => (
              <QueueItem
                key={item.id}
                item={item}
                isCurrent={index === current}
                isSelected={selection.has(item.id)}
                onToggle={() => toggle(item.id)}
                onChange={onChange}
              />
            ))}
          </ul>
        </>
      )}
      <ConfirmDialog
        isOpen={pending !== null}
        title={
          pending
            ? `${pending.act.label}: ${pending.items.length === 1 ? 'one item' : `${pending.items.length} items`}?`
            : ''
        }
        label={pending?.act.label ?? ''}
        isDanger={pending?.act.isDanger}
        isRunning={isRunning}
        onConfirm={() => pending && void resolve(pending)}
        onClose={() => setPending(null)}
      >
        {pending?.items.length === 1 && <p className="clip">{pending.items[0]?.text}</p>}
        {pending?.act.consequence}
      </ConfirmDialog>
      <KeyList isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </>
  );
}

interface QueueToolbarProps {
  items: readonly ContentItem[];
  selected: readonly ContentItem[];
  onSelect(items: readonly ContentItem[]): void;
  onAct(act: Act): void;
}

function QueueToolbar({ items, selected, onSelect, onAct }: QueueToolbarProps) {
  const offered = ACTS.filter(({ name }) => selected.some((item) => item[name]));
  return (
    <div className="toolbar queue-toolbar">
      <label className="actions">
        <input
          type="checkbox"
          checked={selected.length === items.length}
          onChange={() => onSelect(selected.length === items.length ? [] : items)}
        />
        {selected.length > 0 ? `${selected.length} selected` : 'Select all of this page'}
      </label>
      {offered.map((act) => (
        <Button key={act.name} className="small" look={act.isDanger ? 'danger' : 'plain'} onClick={() => onAct(act)}>
          {act.label} the selected
        </Button>
      ))}
    </div>
  );
}

interface QueueItemProps {
  item: ContentItem;
  isCurrent: boolean;
  isSelected: boolean;
  onToggle(): void;
  onChange(): void;
}

function QueueItem({ item, isCurrent, isSelected, onToggle, onChange }: QueueItemProps) {
  return (
    <li className="queue-item" aria-current={isCurrent}>
      <input type="checkbox" aria-label={`Select: ${item.text}`} checked={isSelected} onChange={onToggle} />
      <div>
        <p className="actions">
          <Person person={item.author} /> <Time value={item.createdAt} />
          {item.flagCount > 0 && <Badge tone="warning">Flags: {item.flagCount}</Badge>}
          {item.community && <span className="muted">{item.community.displayName}</span>}
        </p>
        <p className="queue-text">{item.text}</p>
      </div>
      <ContentActions item={item} onDone={onChange} />
    </li>
  );
}
