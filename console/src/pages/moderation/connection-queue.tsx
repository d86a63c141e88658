import type { TypedDocumentString } from '../../../generated/operations.ts';
import { usePages } from '../../api/use-pages.ts';
import { usePolling } from '../../api/use-polling.ts';
import { useQuery } from '../../api/use-query.ts';
import { type Connection, PAGE_SIZE, Pager, type PagingVariables } from '../../ui/connection-table.tsx';
import { QueryView } from '../../ui/states.tsx';
import type { ContentItem } from './content-item.ts';
import { ModerationQueue } from './moderation-queue.tsx';

const INTERVAL_MS = 10_000;

interface ConnectionQueueProps<Result, Variables extends PagingVariables, Node> {
  document: TypedDocumentString<Result, Variables>;
  /** A change returns to the first page. */
  filters: Omit<Variables, 'first' | 'after'>;
  connectionOf(result: Result): Connection<Node>;
  toItem(node: Node): ContentItem;
}

/** The records of a connection as a queue, one page at a time, which fills while the page is visible. */
export function ConnectionQueue<Result, Variables extends PagingVariables, Node>({
  document,
  filters,
  connectionOf,
  toItem,
}: ConnectionQueueProps<Result, Variables, Node>) {
  const paging = usePages(filters);
  const query = useQuery(document, { ...filters, first: PAGE_SIZE, after: paging.after } as unknown as Variables);
  usePolling(query.reload, INTERVAL_MS);
  return (
    <QueryView query={query}>
      {(result) => {
        const { edges, pageInfo } = connectionOf(result);
        return (
          <>
            <ModerationQueue
              key={paging.number}
              items={edges.map(({ node }) => toItem(node))}
              onChange={query.reload}
            />
            <Pager paging={paging} pageInfo={pageInfo} />
          </>
        );
      }}
    </QueryView>
  );
}
