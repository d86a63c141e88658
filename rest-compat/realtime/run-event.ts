import type { Prepared } from '../../schema/documents/prepare.ts';
import type { Executor } from '../../schema/execute.ts';
import type { Context } from '../../src/context.ts';
import { UnavailableError } from '../../src/database-errors.ts';
import type { EventRoot } from '../../src/realtime/subscription-spec.ts';
import { toOperationError } from '../error-body.ts';

/** Executes a document of the gateway for an event. A partial result would never be completed, so it is an error. */
export async function runEvent(
  executor: Executor,
  prepared: Prepared,
  { root, context }: { root: EventRoot; context: Context },
): Promise<{ [key: string]: unknown }> {
  const result = await executor.run(prepared, { context, root });
  const failed = result.errors?.[0];
  if (!failed) return result.data as { [key: string]: unknown };
  const error = toOperationError(failed);
  // The event is rendered again.
  throw error.errorName === 'UNAVAILABLE' ? new UnavailableError('slow') : error;
}
