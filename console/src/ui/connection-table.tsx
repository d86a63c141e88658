import type { ReactNode } from 'react';
import type { TypedDocumentString } from '../../generated/operations.ts';
import { usePages } from '../api/use-pages.ts';
import { useQuery } from '../api/use-query.ts';
import { Button } from './button.tsx';
import { EmptyState, QueryView } from './states.tsx';

/** Records of a page: few enough to render quickly, whatever the length of the list. */
export const PAGE_SIZE = 25;

export interface Connection<Node> {
  edges: ReadonlyArray<{ node: Node }>;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

export interface PagingVariables {
  first: number;
  after?: string | null | undefined;
}

export interface Column<Node> {
  title: string;
  cell(node: Node): ReactNode;
  /** Aligns controls at the end of the row. */
  isEnd?: boolean;
}

interface ConnectionTableProps<Result, Variables extends PagingVariables, Node> {
  label: string;
  document: TypedDocumentString<Result, Variables>;
  /** A change returns to the first page. */
  filters: Omit<Variables, 'first' | 'after'>;
  /** The connection in the result; null if the viewer cannot see it. */
  connectionOf(result: Result): Connection<Node> | null | undefined;
  keyOf(node: Node): string;
  /** @param reload executes the query again, after a change */
  columns(reload: () => void): ReadonlyArray<Column<Node>>;
  empty: string;
}

/** A table of the records of a connection, one page at a time. */
export function ConnectionTable<Result, Variables extends PagingVariables, Node>({
  label,
  document,
  filters,
  connectionOf,
  keyOf,
  columns,
  empty,
}: ConnectionTableProps<Result, Variables, Node>) {
  const paging = usePages(filters);
  const query = useQuery(document, { ...filters, first: PAGE_SIZE, after: paging.after } as unknown as Variables);
  return (
    <QueryView query={query}>
      {(result) => {
        const connection = connectionOf(result);
        if (!connection?.edges.length && paging.number === 1) return <EmptyState title={empty} />;
        return (
          <>
            <Table
              label={label}
              columns={columns(query.reload)}
              nodes={(connection?.edges ?? []).map(({ node }) => node)}
              keyOf={keyOf}
            />
            <Pager paging={paging} pageInfo={connection?.pageInfo} />
          </>
        );
      }}
    </QueryView>
  );
}

interface TableProps<Node> {
  label: string;
  columns: ReadonlyArray<Column<Node>>;
  nodes: readonly Node[];
  keyOf(node: Node): string;
}

export function Table<Node>({ label, columns, nodes, keyOf }: TableProps<Node>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-box" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isEnd }) => (
              <th key={title} scope="col" className={isEnd ? 'end' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={keyOf(node)}>
              {columns.map(({ title, cell, isEnd }) => (
                <td key={title} className={isEnd ? 'end' : undefined}>
                  {cell(node)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PagerProps {
  paging: ReturnType<typeof usePages>;
  pageInfo: Connection<unknown>['pageInfo'] | undefined;
}

export function Pager({ paging: { number, next, previous }, pageInfo }: PagerProps) {
  const endCursor = pageInfo?.endCursor;
  const hasNext = pageInfo?.hasNextPage && endCursor;
  if (number === 1 && !hasNext) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
      <Button disabled={number === 1} onClick={previous}>
        Previous
      </Button>
      <span className="muted">Page {number}</span>
      <Button disabled={!hasNext} onClick={() => endCursor && next(endCursor)}>
        Next
      </Button>
    </nav>
  );
}
