import { ApolloLink, CombinedGraphQLErrors } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { retry, tap, throwError, timer } from 'rxjs';
import { isTransient } from './transient.ts';

const RETRY_MS = 1_000;

/** Repeats queries until the gateway answers, so that what a page needs is loaded once the connection is back. */
export const createQueryRetry = (isClosed: () => boolean) =>
  new ApolloLink((operation, forward) => {
    if (operation.operationType !== OperationTypeNode.QUERY) return forward(operation);
    return forward(operation).pipe(
      tap((result) => {
        if (!result.errors?.length) return;
        const error = new CombinedGraphQLErrors(result);
        if (isTransient(error)) throw error;
      }),
      retry({ delay: (error) => (isTransient(error) && !isClosed() ? timer(RETRY_MS) : throwError(() => error)) }),
    );
  });
