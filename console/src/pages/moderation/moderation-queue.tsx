import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DecisionDialog, type Pending } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';
import { DECISIONS } from './decisions.ts';
import { ItemDetails } from './item-details.tsx';
import { KeyList } from './key-list.tsx';
import { QueueFilters } from './queue-filters.tsx';
import { QueueRow } from './queue-row.tsx';
import { QueueToolbar } from './queue-toolbar.tsx';
import { useCurrent } from './use-current.ts';
import { type QueueQuery, useQueue } from './use-queue.ts';
import { useQueueKeys } from './use-queue-keys.ts';
import { useResolve } from './use-resolve.ts';
import { VirtualList } from './virtual-list.tsx';

/** The moderation queue, which is worked through by keyboard, one item or several at a time. */
export function ModerationQueue() {
  const [query, setQuery] = useState<QueueQuery>({ filter: {}, sortBy: 'LAST_CREATED' });
  const queue = useQueue(query);
  const { items } = queue;
  const [current, setCurrent] = useCurrent(items);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [pending, setPending] = useState<Pending | null>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const { isRunning, resolve } = useResolve(queue.remove);
  useEffect(() => {
    // A page can be empty although others follow, if the user moderates none of the records that it read.
    if (items.length === 0) queue.loadMore();
  });
  const selected = items.filter(({ id }) => selection.has(id));

  function toggle(id: string): void {
    const next = new Set(selection);
    if (!next.delete(id)) next.add(id);
    setSelection(next);
  }

  async function finish(decided: Pending, terms: Parameters<typeof resolve>[1]): Promise<void> {
    await resolve(decided, terms);
    setPending(null);
    setSelection(new Set());
  }

  function start(decision: Decision): void {
    if (isRunning) return;
    const targets = selected.length > 0 ? selected : items.slice(current, current + 1);
    const applicable = targets.filter((item) => decision.appliesTo(item));
    if (applicable.length === 0) return;
    const next = { decision, items: applicable };
    if (decision.isDanger || applicable.length > 1) setPending(next);
    else void finish(next, {});
  }

  useQueueKeys({
    j: () => setCurrent(current + 1),
    k: () => setCurrent(current - 1),
    s: () => items[current] && toggle(items[current].id),
    '?': () => setShowsKeys(true),
    ...Object.fromEntries(DECISIONS.map((decision) => [decision.key, () => start(decision)])),
  });

  const item = items[current];
  return (
    <>
      <QueueFilters query={query} onChange={setQuery} />
      {queue.error && (
        <p className="message" role="alert">
          {queue.error} <Button onClick={queue.retry}>Try again</Button>
        </p>
      )}
      {queue.omitsPlaces && (
        <p className="message">
          You moderate more communities or channels than this list covers: it has the items of 200 of each.
        </p>
      )}
      {item ? (
        <div className="queue">
          <div>
            <QueueToolbar
              items={items}
              hasMore={queue.hasMore}
              selected={selected}
              onSelect={(chosen) => setSelection(new Set(chosen.map(({ id }) => id)))}
              onDecide={start}
            />
            <VirtualList
              label="Items"
              items={items}
              current={current}
              onNearEnd={queue.loadMore}
              row={(one, index, place) => (
                <QueueRow
                  key={one.id}
                  item={one}
                  place={place}
                  isCurrent={index === current}
                  isSelected={selection.has(one.id)}
                  onToggle={() => toggle(one.id)}
                  onChoose={() => setCurrent(index)}
                />
              )}
            />
          </div>
          <ItemDetails key={item.id} item={item} onDecide={(decision) => start(decision)} />
        </div>
      ) : (
        !queue.isLoading &&
        !queue.hasMore && <EmptyState title="Nothing to moderate.">Content appears here by itself.</EmptyState>
      )}
      {pending && (
        <DecisionDialog
          pending={pending}
          isRunning={isRunning}
          onDecide={(terms) => void finish(pending, terms)}
          onClose={() => setPending(null)}
        />
      )}
      <KeyList isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </>
  );
}
