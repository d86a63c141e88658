import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import { together } from '../../store/transaction.ts';
import { countFlag, subtractFlag } from './count-flag.ts';
import { type FlagReasonInput, flagReason } from './flag-reason.ts';
import type { Flaggable, FlagReference, FlagTarget } from './flag-target.ts';
import { flaggersOf, insertFlag, removeFlag } from './stored-flags.ts';

/**
 * Flags a record for its moderators. A user has one flag per record: flagging again only changes the reason.
 * @returns the record with its counters afterwards
 * @throws {OperationError} NOT_FOUND when it was deleted, or the viewer no longer sees it, meanwhile; INVALID_PARAMETERS
 *   for a detail that is too long
 */
export async function flagRecord<Record extends Flaggable>(
  context: Context,
  target: FlagTarget<Record>,
  input: FlagReasonInput,
): Promise<Record> {
  const { userId } = viewerOf(context);
  const { referenceType, referenceId, collection, filter, record } = target;
  const { authorId, communityId, channelId } = target;
  const content = { ...flagReason(input), authorId, communityId, channelId };
  const flagged = await context.transaction(async (session) => {
    const isNew = await insertFlag(context, session, { referenceType, referenceId, userId }, content);
    const live = { ...filter, isDeleted: false };
    const [found] = await together(session, [
      isNew && (() => countFlag({ session, collection, filter: live, userId })),
      () => target.requireStillVisible?.(session),
    ]);
    if (!isNew) return null;
    if (!found) throw notFound(target.label);
    const { counted, storeFilter } = found;
    await together(session, [
      () => storeFilter(),
      counted.flagCount === 1 && (() => target.markAncestors?.(session, true)),
      !target.afterFlag && (() => appendEvents(context, session, [target.event('flagged', counted)])),
    ]);
    if (!target.afterFlag) return counted;
    const after = await target.afterFlag(session, counted);
    await appendEvents(context, session, [target.event('flagged', after.record), ...after.events]);
    return after.record;
  }, target.lock);
  invalidate(context, target);
  return flagged ?? record;
}

/** Withdraws the viewer's flag; does nothing when there is none. @returns the record with its counters afterwards */
export async function unflagRecord<Record extends Flaggable>(
  context: Context,
  target: FlagTarget<Record>,
): Promise<Record> {
  const { userId } = viewerOf(context);
  const { referenceType, referenceId, collection, filter, record } = target;
  const reference = { referenceType, referenceId };
  const unflagged = await context.transaction(async (session) => {
    if (!(await removeFlag(context, session, { ...reference, userId }))) return null;
    const flaggers = await flaggersOf(context, session, reference);
    const left = await subtractFlag({ session, collection, filter, flaggers });
    await together(session, [
      left?.flagCount === 0 && (() => target.markAncestors?.(session, false)),
      () => appendEvents(context, session, [target.event('unflagged', record)]),
    ]);
    return left;
  }, target.lock);
  invalidate(context, target);
  return unflagged ?? record;
}

/** Whether the viewer flagged a record; sends no command for one without flags. */
export async function isFlaggedByViewer(
  context: Context,
  { referenceType, referenceId, flagCount }: FlagReference & Pick<Flaggable, 'flagCount'>,
): Promise<boolean> {
  if (flagCount === 0) return false;
  const flags = await context.load.myFlags.load([referenceId, viewerOf(context).userId]);
  return (flags ?? []).some((flag) => flag.referenceType === referenceType);
}

export function invalidate<Record extends Flaggable>(context: Context, target: FlagTarget<Record>): void {
  target.invalidate();
  context.load.myFlags.clear([target.referenceId, viewerOf(context).userId]);
}
