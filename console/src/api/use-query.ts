import { useCallback, useEffect, useState } from 'react';
import type { TypedDocumentString } from '../../generated/operations.ts';
import { messageOf } from './api-error.ts';
import { execute } from './execute.ts';

export interface Query<Result> {
  /** The latest result; it remains while the query is executed again. */
  data: Result | null;
  error: string | null;
  isLoading: boolean;
  reload(): void;
}

/** Executes a query, and again when its variables change. Results of earlier variables are ignored. */
export function useQuery<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Query<Result> {
  const [state, setState] = useState<Omit<Query<Result>, 'reload'>>({ data: null, error: null, isLoading: true });
  const [round, setRound] = useState(0);
  const key = JSON.stringify(variables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the variables, and a round repeats them
  useEffect(() => {
    let isCurrent = true;
    setState(({ data }) => ({ data, error: null, isLoading: true }));
    execute(document, JSON.parse(key) as Variables).then(
      (data) => isCurrent && setState({ data, error: null, isLoading: false }),
      (error) => isCurrent && setState(({ data }) => ({ data, error: messageOf(error), isLoading: false })),
    );
    return () => {
      isCurrent = false;
    };
  }, [document, key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, reload };
}
