import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Height of a row, as in `.queue-item`. */
const ROW_PX = 96;
/** Rows beyond the visible ones on each side. */
const MARGIN = 6;

interface VirtualListProps<Item> {
  label: string;
  items: readonly Item[];
  /** Index of the item that is scrolled into view when it changes. */
  current: number;
  /** @param place attributes of the list item */
  row(item: Item, index: number, place: { 'aria-setsize': number; 'aria-posinset': number }): ReactNode;
  /** Called when the end of the list is near. */
  onNearEnd(): void;
}

/** A list of rows of one height, of which only those in view are rendered. */
export function VirtualList<Item>({ label, items, current, row, onNearEnd }: VirtualListProps<Item>) {
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 10 * ROW_PX });
  const measure = () => box.current && setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures once, then on each scroll and resize
  useEffect(() => {
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  useEffect(() => {
    const list = box.current;
    if (!list || current < 0) return;
    const [top, bottom] = [current * ROW_PX, (current + 1) * ROW_PX];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }, [current]);
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - MARGIN);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / ROW_PX) + MARGIN);
  useEffect(() => {
    if (last >= items.length - MARGIN) onNearEnd();
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
    <section className="table-box virtual-list" ref={box} onScroll={measure} tabIndex={0} aria-label={label}>
      <ul className="event-log" style={{ paddingTop: first * ROW_PX, paddingBottom: (items.length - last) * ROW_PX }}>
        {items
          .slice(first, last)
          .map((item, offset) =>
            row(item, first + offset, { 'aria-setsize': items.length, 'aria-posinset': first + offset + 1 }),
          )}
      </ul>
    </section>
  );
}
