import type { ExecutionArgs } from 'graphql';
import { OperationError } from '../../src/errors.ts';
import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import type { Prepared } from '../documents/prepare.ts';
import type { RunOptions } from '../execute.ts';
import type { ParsedSubscription } from './parse-subscription.ts';
import type { SocketConnection } from './socket-connection.ts';

/** The state that `graphql-ws` passes from one hook to the next. */
export interface Operation extends Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'> {
  connection: SocketConnection;
  /** When its message arrived, in `performance.now()` time. */
  startedAt: number;
  id: string;
  /** Identifies its subscribe message in {@link SocketConnection.reserved}. */
  reservation: object;
  prepared: Prepared;
  /** Null for queries and mutations. */
  subscribed: ParsedSubscription | null;
  variableValues: RunOptions['variables'];
  reportsCost: boolean;
}

/**
 * Admits an operation if the socket is below its limits. Subscriptions count until the client completes them, other
 * operations until they were executed.
 *
 * @param acquireQuota acquires the user's subscription quota and returns its release function
 * @throws {OperationError} RATE_LIMITED
 */
export function admit(operation: Operation, inProgress: object, acquireQuota: () => () => void): void {
  const { id, subscribed } = operation;
  const { quotaReleases, operations, subscriptions } = operation.connection;
  for (const [one, release] of quotaReleases) {
    if (one in inProgress) continue;
    subscriptions.get(one)?.close();
    subscriptions.delete(one);
    release();
    quotaReleases.delete(one);
  }
  const count = subscribed ? quotaReleases.size : operations.size;
  if (count >= (subscribed ? LIVE_LIMITS.subscriptions : LIVE_LIMITS.operations)) throw tooManyOperations();
  if (!subscribed) return void operations.add(operation);
  quotaReleases.get(id)?.();
  quotaReleases.set(id, acquireQuota());
}

export function tooManyOperations(): OperationError {
  const { subscriptions, operations } = LIVE_LIMITS;
  const message = `At most ${subscriptions} subscriptions and ${operations} other operations on one socket.`;
  return new OperationError('RATE_LIMITED', { message });
}
