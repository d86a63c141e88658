import { z } from 'zod';
import { canChangeFile } from '../../access/file.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { FileRecord } from '../../store/records/media.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { id, omitUndefined, text, validate, withoutNull } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { requireRightInNetwork } from '../user/roles/require-right.ts';
import { fileEvent } from './file-events.ts';

export const deleteFileInput = z.object({ fileId: id().describe('Public id of the file.') });
export const updateFileInput = deleteFileInput.extend({
  altText: text({ min: 0, max: 1_000 }).nullish().describe('Alternative text for users who cannot see the file.'),
  accessType: withoutNull(z.enum(['public', 'network']).describe('Who can download the file.')),
});

/** Changes a file's alt text or access type. @throws {OperationError} INVALID_PARAMETERS, NOT_FOUND, PERMISSION_DENIED */
export async function updateFile(context: Context, input: z.input<typeof updateFileInput>): Promise<FileRecord> {
  const { fileId, altText, accessType } = validate(updateFileInput, input);
  const file = await requireFile(context, fileId);
  const changes = omitUndefined({ altText: altText === '' ? null : altText, accessType });
  return Object.keys(changes).length === 0 ? file : write(context, file, changes);
}

/**
 * Deletes a file with its bytes. Records that contain it return null for it.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED
 */
export async function deleteFile(context: Context, input: z.input<typeof deleteFileInput>): Promise<FileRecord> {
  const { fileId } = validate(deleteFileInput, input);
  const file = await requireFile(context, fileId);
  const deleted = await write(context, file, { isDeleted: true });
  // Bytes are removed after the record: if a crash leaves them behind, no record makes them available.
  await context.afterCommit(() => context.files.remove(fileId).catch(() => undefined));
  return deleted;
}

async function requireFile(context: Context, fileId: string): Promise<FileRecord> {
  const viewer = viewerOf(context);
  const file = await context.load.files.load(fileId);
  if (!file) throw notFound('File');
  if (!canChangeFile(viewer, file)) throw new OperationError('PERMISSION_DENIED');
  return file;
}

async function write(context: Context, file: FileRecord, changes: Partial<FileRecord>): Promise<FileRecord> {
  const { networkId, userId } = viewerOf(context);
  const { fileId } = file;
  const isPrivileged = file.userId !== userId;
  const changed = await context.transaction(
    async (session) => {
      if (isPrivileged) {
        await requireRightInNetwork(context, session, (viewer) => canChangeFile(viewer, file));
      }
      const after = await context.store.collections.files.findOneAndUpdate(
        { networkId, fileId, isDeleted: { $ne: true } },
        { $set: { ...changes, updatedAt: context.now() } },
        { session, returnDocument: 'after' },
      );
      if (!after) throw notFound('File');
      if (isPrivileged) {
        await recordAudit(context, session, [{ subjectType: 'file', subjectId: fileId, affectedUserId: after.userId }]);
      }
      await appendEvents(context, session, [fileEvent(changes.isDeleted ? 'file.deleted' : 'file.updated', after)]);
      return after;
    },
    lockFor(context, 'record', `file ${fileId}`),
  );
  context.load.files.clear(fileId);
  return changed;
}
