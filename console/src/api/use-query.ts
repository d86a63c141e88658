import { useCallback, useEffect, useState } from 'react';
import type { TypedDocumentString } from '../../generated/operations.ts';
import { messageOf } from './api-error.ts';
import { execute } from './execute.ts';

export interface Query<Result> {
  /** The latest result for these variables; it remains while the query is executed again. */
  data: Result | null;
  error: string | null;
  isLoading: boolean;
  reload(): void;
}

const LOADING = { data: null, error: null, isLoading: true } as const;

type State<Result> = Omit<Query<Result>, 'reload'>;

/**
 * Executes a query, and again when its variables change. Results of earlier variables are not shown, since their buttons
 * would act on records that are no longer meant.
 */
export function useQuery<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): Query<Result> {
  const key = JSON.stringify(variables);
  const [loaded, setLoaded] = useState<{ key: string; state: State<Result> }>({ key, state: LOADING });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the variables, and a round repeats them
  useEffect(() => {
    let isCurrent = true;
    const update = (change: Partial<State<Result>>) =>
      isCurrent && setLoaded((last) => ({ key, state: { ...(last.key === key ? last.state : LOADING), ...change } }));
    update({ error: null, isLoading: true });
    execute(document, JSON.parse(key) as Variables).then(
      (data) => update({ data, isLoading: false }),
      (error) => update({ error: messageOf(error), isLoading: false }),
    );
    return () => {
      isCurrent = false;
    };
  }, [document, key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  return { ...(loaded.key === key ? loaded.state : LOADING), reload };
}
