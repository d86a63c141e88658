import { useCallback, useEffect, useRef, useState } from 'react';
import {
  ModerationItemDocument,
  ModerationQueueDocument,
  type ModerationQueueFilter,
  type ModerationQueueSort,
  QueueEventsDocument,
  type QueueEventsSubscription,
} from '../../../generated/operations.ts';
import { messageOf } from '../../api/api-error.ts';
import { execute } from '../../api/execute.ts';
import { subscribe } from '../../api/subscribe.ts';
import { type ItemKey, idOf, keyOfEvent, matches, type QueueItem, toItem } from './queue-item.ts';

const PAGE = 100;
/** Events of this time are applied together. */
const GATHER_MS = 250;
/** With more changed items than this, the queue is loaded again. */
const MANY = 20;

export interface Queue {
  items: readonly QueueItem[];
  /** Whether the server has items after the loaded ones. */
  hasMore: boolean;
  /** Whether the user moderates more places than the queue covers. */
  omitsPlaces: boolean;
  isLoading: boolean;
  error: string | null;
  /** Loads the next page, unless it is loading, has failed, or there is none. */
  loadMore(): void;
  /** Loads the page that has failed again. */
  retry(): void;
  reload(): void;
  /** Removes resolved items, before the events of their changes arrive. */
  remove(keys: readonly ItemKey[]): void;
}

export interface QueueQuery {
  filter: ModerationQueueFilter;
  sortBy: ModerationQueueSort;
}

interface Loaded {
  items: readonly QueueItem[];
  after: string | null;
  hasMore: boolean;
  omitsPlaces: boolean;
}

const NOTHING: Loaded = { items: [], after: null, hasMore: true, omitsPlaces: false };

/** The moderation queue, loaded page by page. Events add items and remove resolved ones. */
export function useQueue(query: QueueQuery): Queue {
  const key = JSON.stringify(query);
  const [loaded, setLoaded] = useState(NOTHING);
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<string | null>(null);
  /** Results of earlier queries and rounds are dropped. */
  const round = useRef(0);
  const isBusy = useRef(false);
  /** Keeps the list, which asks for more whenever it is rendered near its end, from repeating a failing request. */
  const hasFailed = useRef(false);

  const load = useCallback(
    async (after: string | null) => {
      const { filter, sortBy } = JSON.parse(key) as QueueQuery;
      const own = round.current;
      isBusy.current = true;
      hasFailed.current = false;
      setLoading(true);
      setError(null);
      try {
        const { moderationQueue } = await execute(ModerationQueueDocument, { first: PAGE, after, filter, sortBy });
        if (own !== round.current) return;
        const { edges, pageInfo, omitsPlaces } = moderationQueue;
        const found = edges.map(({ node }) => toItem(node));
        setLoaded((last) => ({
          items: after === null ? found : [...last.items, ...newTo(last.items, found)],
          after: pageInfo.endCursor,
          hasMore: pageInfo.hasNextPage,
          omitsPlaces,
        }));
      } catch (failure) {
        if (own !== round.current) return;
        hasFailed.current = true;
        setError(messageOf(failure));
      } finally {
        if (own === round.current) {
          isBusy.current = false;
          setLoading(false);
        }
      }
    },
    [key],
  );

  const reload = useCallback(() => {
    round.current += 1;
    void load(null);
  }, [load]);

  useEffect(() => {
    setLoaded(NOTHING);
    reload();
  }, [reload]);

  const update = useCallback(
    (changed: ItemKey, item: QueueItem | null) => {
      const { filter, sortBy } = JSON.parse(key) as QueueQuery;
      setLoaded((last) => ({ ...last, items: withItem(last, { changed, item, filter, sortBy }) }));
    },
    [key],
  );
  useQueueEvents(update, reload, setError);

  const remove = useCallback((keys: readonly ItemKey[]) => {
    const gone = new Set(keys.map(idOf));
    setLoaded((last) => ({ ...last, items: last.items.filter(({ id }) => !gone.has(id)) }));
  }, []);

  const { items, after, hasMore, omitsPlaces } = loaded;
  const loadMore = () => {
    if (!isBusy.current && !hasFailed.current && hasMore) void load(after);
  };
  const retry = () => void load(after);
  return { items, hasMore, omitsPlaces, isLoading, error, loadMore, retry, reload, remove };
}

/** Reads the items that events concern, and the whole queue after a reconnect, when events may have been missed. */
function useQueueEvents(
  update: (changed: ItemKey, item: QueueItem | null) => void,
  reload: () => void,
  onError: (message: string) => void,
): void {
  useEffect(() => {
    const changed = new Map<string, ItemKey>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    async function apply(): Promise<void> {
      timer = null;
      const keys = [...changed.values()];
      changed.clear();
      if (keys.length > MANY) {
        reload();
        return;
      }
      for (const itemKey of keys) {
        try {
          const { moderationItem } = await execute(ModerationItemDocument, itemKey);
          update(itemKey, moderationItem ? toItem(moderationItem) : null);
        } catch (failure) {
          onError(messageOf(failure));
        }
      }
    }
    const end = subscribe<QueueEventsSubscription>(
      String(QueueEventsDocument),
      {},
      {
        onResult({ events }) {
          const itemKey = keyOfEvent(events);
          if (!itemKey) return;
          changed.set(idOf(itemKey), itemKey);
          timer ??= setTimeout(() => void apply(), GATHER_MS);
        },
        onError,
        onReconnect: reload,
      },
    );
    return () => {
      end();
      if (timer) clearTimeout(timer);
    };
  }, [update, reload, onError]);
}

function newTo(items: readonly QueueItem[], found: readonly QueueItem[]): QueueItem[] {
  const known = new Set(items.map(({ id }) => id));
  return found.filter(({ id }) => !known.has(id));
}

interface Change extends QueueQuery {
  changed: ItemKey;
  /** null: it is no longer in the queue. */
  item: QueueItem | null;
}

/** The loaded items with a changed one in its place; beyond the loaded ones, it is loaded later. */
function withItem({ items, hasMore }: Loaded, { changed, item, filter, sortBy }: Change): QueueItem[] {
  const others = items.filter(({ id }) => id !== idOf(changed));
  if (!item || !matches(item, filter)) return others;
  const isAfter = (other: QueueItem) =>
    sortBy === 'FIRST_CREATED' ? other.createdAt > item.createdAt : other.createdAt < item.createdAt;
  const index = others.findIndex(isAfter);
  if (index < 0) return hasMore ? others : [...others, item];
  return others.toSpliced(index, 0, item);
}
