import { z } from 'zod';
import { canEditUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { differs } from '../differs.ts';
import { usableFiles } from '../file/usable-files.ts';
import { id, json, omitUndefined, text, validate, withoutNull } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { indexUser } from '../search-index/index-record.ts';
import { ranksAbove, requireUser } from './require-user.ts';
import { requireNetworkRight } from './roles/require-network-right.ts';
import { requireRankOver } from './roles/require-rank-over.ts';
import { finishAfterRequest, recheckedLater, updateMemberships } from './update-memberships.ts';
import { userEvent } from './user-events.ts';

const url = () =>
  text({ max: 2_000 }).refine(
    (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
    'must be a web address',
  );

export const updateUserInput = z.object({
  userId: id(50).nullish().describe('Public id of the user; the viewer by default.'),
  displayName: withoutNull(text({ max: 100 }).describe('Display name.')),
  description: text({ min: 0, max: 1_000 }).nullish().describe('Description.'),
  avatarFileId: id().nullish().describe('File id of the avatar: an image that the viewer uploaded.'),
  avatarCustomUrl: url().nullish().describe('URL of an avatar that is stored elsewhere.'),
  metadata: json().nullish().describe('Free-form data of the application, at most 64 KiB.'),
});
export type UpdateUserInput = z.input<typeof updateUserInput>;

/**
 * Updates a profile, the viewer's own by default; absent fields are left unchanged, null clears. The name cannot be
 * cleared. Memberships contain a copy of it. Roles and bans have separate operations.
 *
 * @throws {OperationError} INVALID_PARAMETERS; NOT_FOUND for the user or the file; PERMISSION_DENIED, also for a user
 *   of a higher rank
 */
export async function updateUser(context: Context, input: UpdateUserInput): Promise<UserRecord> {
  const { userId: named, ...fields } = validate(updateUserInput, input);
  const userId = named ?? viewerOf(context).userId;
  const user = await requireUser(context, userId, canEditUser);
  if (userId !== viewerOf(context).userId && (await ranksAbove(context, user))) {
    throw new OperationError('PERMISSION_DENIED', { message: 'This user ranks higher than you.', path: ['userId'] });
  }
  await usableFiles(context, [fields.avatarFileId], { path: ['avatarFileId'], held: [user.avatarFileId] });
  const { networkId } = user;
  const changes = omitUndefined({
    ...fields,
    description: fields.description === null ? '' : fields.description,
    metadata: fields.metadata === null ? {} : fields.metadata,
  });
  const { updated, hasMore } = await context.transaction(
    async (session) => {
      if (userId !== viewerOf(context).userId) {
        const { rank } = await requireNetworkRight(context, session, (viewer) => canEditUser(viewer, { userId }));
        await requireRankOver(context, session, { networkId, userId, rank });
      }
      const isRenamed = changes.displayName !== undefined;
      const set = { ...changes, ...(isRenamed && recheckedLater(context)), updatedAt: context.now() };
      const before = await context.store.collections.users.findOneAndUpdate(
        { networkId, userId, isDeleted: false },
        { $set: set },
        { session, returnDocument: 'before' },
      );
      if (!before) throw notFound('User');
      const updated = { ...before, ...set };
      if (isRenamed) await indexUser(context, session, updated);
      const { hasMore } = isRenamed ? await updateMemberships(context, session, updated) : { hasMore: false };
      const hasChanged = differs(before, changes);
      if (hasChanged && userId !== viewerOf(context).userId) {
        const details = { fields: Object.keys(changes) };
        await recordAudit(context, session, [
          { subjectType: 'user', subjectId: userId, affectedUserId: userId, details },
        ]);
      }
      if (hasChanged) await appendEvents(context, session, [userEvent('user.updated', updated)]);
      return { updated, hasMore };
    },
    lockFor(context, 'user', userId),
  );
  context.load.users.clear(userId);
  if (hasMore) await context.afterCommit(() => finishAfterRequest(context, updated));
  return updated;
}
