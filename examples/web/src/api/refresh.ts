import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';

/** Time in which events that concern the same query share a request. */
const COLLECT_MS = 200;

const waiting = new WeakMap<ApolloClient, Set<string>>();

/** Loads totals that an event changed but does not contain into the cache. Repeated calls share a request. */
export function refresh<Result, Variables extends OperationVariables>(
  client: ApolloClient,
  query: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): void {
  const queries = waiting.get(client) ?? new Set();
  waiting.set(client, queries);
  const key = JSON.stringify([query, variables]);
  if (queries.has(key)) return;
  queries.add(key);
  setTimeout(() => {
    queries.delete(key);
    // Totals that cannot be loaded now are loaded with the next event.
    client.query<Result>({ query, variables, fetchPolicy: 'network-only' } as never).catch(() => undefined);
  }, COLLECT_MS);
}
