import { ApolloLink } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { finalize } from 'rxjs';

/** Applies events again that arrived while a query was in progress. */
export interface EventReplay<Event> {
  link: ApolloLink;
  /** Takes note of an event that has been applied. */
  record(event: Event): void;
}

/**
 * The result of a query may be older than events that arrive before it. It replaces the lists to which they added records,
 * and a list that was not loaded yet could not take them. Therefore they are applied again, after the result.
 */
export function createEventReplay<Event>(apply: (event: Event) => void): EventReplay<Event> {
  /** The events that arrived since each query in progress began. */
  const inProgress = new Set<Event[]>();
  return {
    record(event) {
      for (const events of inProgress) events.push(event);
    },
    link: new ApolloLink((operation, forward) => {
      if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation);
      const events: Event[] = [];
      inProgress.add(events);
      const end = () => {
        inProgress.delete(events);
        events.forEach(apply);
      };
      // The cache stores the result in the same task.
      return forward(operation).pipe(finalize(() => setTimeout(end)));
    }),
  };
}
