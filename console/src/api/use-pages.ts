import { useEffect, useState } from 'react';

/** Cursors of the pages from the first to the shown one. */
export interface Paging {
  /** Cursor after which the shown page starts; null for the first page. */
  after: string | null;
  /** Number of the shown page, from 1. */
  number: number;
  next(endCursor: string): void;
  previous(): void;
}

/** Moves through the pages of a connection. @param filters a change of them returns to the first page */
export function usePages(filters: unknown): Paging {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const key = JSON.stringify(filters);
  const [shownKey, setShownKey] = useState(key);
  useEffect(() => {
    setShownKey(key);
    setCursors([]);
  }, [key]);
  const current = shownKey === key ? cursors : [];
  return {
    after: current.at(-1) ?? null,
    number: current.length + 1,
    next: (endCursor) => setCursors([...current, endCursor]),
    previous: () => setCursors(current.slice(0, -1)),
  };
}
