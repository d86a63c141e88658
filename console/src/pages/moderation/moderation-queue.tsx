import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Person } from '../../ui/person.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ContentActions } from './content-columns.tsx';
import type { ContentItem } from './content-item.ts';

const KEYS: ReadonlyArray<readonly [key: string, meaning: string]> = [
  ['j', 'Select the next item'],
  ['k', 'Select the previous item'],
  ['c', 'Clear the flags of the selected item'],
  ['x', 'Delete the selected item'],
  ['?', 'Show these keys'],
];

/** A list that is worked through by keyboard. */
export function ModerationQueue({ items, onChange }: { items: readonly ContentItem[]; onChange(): void }) {
  const [position, setPosition] = useState(0);
  const [showsKeys, setShowsKeys] = useState(false);
  const { isRunning, run } = useAction();
  const current = Math.min(position, items.length - 1);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  useEffect(() => {
    async function resolve(act: (() => Promise<unknown>) | undefined, success: string): Promise<void> {
      if (!act || isRunning) return;
      if (await run(act, success)) onChange();
    }
    function onKey(event: KeyboardEvent): void {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea, [role=dialog]');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const item = items[current];
      if (event.key === 'j') setPosition(Math.min(current + 1, items.length - 1));
      else if (event.key === 'k') setPosition(Math.max(current - 1, 0));
      else if (event.key === 'c') void resolve(item?.clearFlags, 'The flags are cleared.');
      else if (event.key === 'x') void resolve(item?.remove, `The ${item?.kind.toLowerCase()} is deleted.`);
      else if (event.key === '?') setShowsKeys(true);
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [items, current, isRunning, run, onChange]);

  return (
    <>
      {items.length === 0 ? (
        <EmptyState title="Nothing to moderate.">Flagged content appears here.</EmptyState>
      ) : (
        <ul className="table-box event-log" ref={list}>
          {items.map((item, index) => (
            <li key={item.id} className="queue-item" aria-current={index === current}>
              <p className="actions">
                <Person person={item.author} /> <Time value={item.createdAt} />
                <Badge tone="warning">Flags: {item.flagCount}</Badge>
                {item.community && <span className="muted">{item.community.displayName}</span>}
              </p>
              <p>{item.text}</p>
              <ContentActions item={item} onDone={onChange} />
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={showsKeys}
        onClose={() => setShowsKeys(false)}
        className="dialog"
        backdrop={<div className="backdrop" />}
        preventBodyScroll={false}
        unmountOnHide
      >
        <DialogHeading>Keys</DialogHeading>
        <dl>
          {KEYS.map(([key, meaning]) => (
            <div key={key} className="actions">
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <div className="actions">
          <DialogDismiss className="button">Close</DialogDismiss>
        </div>
      </Dialog>
    </>
  );
}
