import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { FlagRecord } from '../../store/records/content.ts';

/** Takes everybody's flags on a record back; the caller sets its counters. */
export async function removeFlags(
  context: Context,
  session: ClientSession,
  reference: Pick<FlagRecord, 'referenceType' | 'referenceId'>,
): Promise<void> {
  const { networkId } = viewerOf(context);
  await context.store.collections.flags.deleteMany({ networkId, ...reference }, { session });
}
