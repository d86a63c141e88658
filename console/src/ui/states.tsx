import type { ReactNode } from 'react';
import type { Query } from '../api/use-query.ts';
import { Button } from './button.tsx';

interface QueryViewProps<Result> {
  query: Query<Result>;
  children(data: Result): ReactNode;
}

/** Shows the result of a query, or that it is loading, or its error with a button to retry. */
export function QueryView<Result>({ query: { data, error, isLoading, reload }, children }: QueryViewProps<Result>) {
  if (error) return <ErrorState message={error} onRetry={reload} />;
  if (data === null) return <Loading />;
  return (
    <div className={isLoading ? 'stale' : undefined} aria-busy={isLoading}>
      {children(data)}
    </div>
  );
}

export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">Loading</span>
      <i />
      <i />
      <i />
    </div>
  );
}

export function ErrorState({ message, onRetry }: { message: string; onRetry?: () => void }) {
  return (
    <div className="state" role="alert">
      <p>
        <strong>This could not be loaded.</strong>
      </p>
      <p className="muted">{message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p className="muted">{children}</p>}
    </div>
  );
}
