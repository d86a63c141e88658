import { createHash, randomBytes } from 'node:crypto';
import { type ClientSession, ObjectId } from 'mongodb';
import { z } from 'zod';
import { canExportUser } from '../access/user.ts';
import { type Context, viewerOf } from '../context.ts';
import { recordAudit } from '../domain/audit/record-audit.ts';
import { id, text, validate } from '../domain/input.ts';
import { lockFor } from '../domain/lock-for.ts';
import { requireWriter } from '../domain/require-writer.ts';
import { rankOfRoles } from '../domain/role/rank.ts';
import { requireNetworkRight } from '../domain/user/roles/require-network-right.ts';
import { notFound, OperationError } from '../errors.ts';
import type { UserExportRecord } from '../store/records/user-export.ts';

/** How long the download of an export can begin. */
const URL_MS = 600_000;
const MAX_REASON = 300;

export const exportUserInput = z.object({
  userId: id(50)
    .nullish()
    .describe('Public id of the user, whose account may be deleted or banned; the viewer by default.'),
  reason: text({ min: 0, max: MAX_REASON }).nullish().describe('Reason for the audit log, such as a request number.'),
});

/** Where the data of a person can be downloaded once. */
export interface UserExport {
  userId: string;
  url: string;
  expiresAt: Date;
}

/**
 * Creates a URL from which the data of a person is downloaded once, see {@link serveExports}. Everybody may export their own
 * data.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED, also for a user of a higher rank; INVALID_PARAMETERS
 */
export async function exportUser(context: Context, input: z.input<typeof exportUserInput>): Promise<UserExport> {
  const viewer = viewerOf(context);
  requireWriter(viewer);
  const given = validate(exportUserInput, input);
  const { networkId, sessionId } = viewer;
  const userId = given.userId ?? viewer.userId;
  if (!canExportUser(viewer, { userId })) throw new OperationError('PERMISSION_DENIED');
  const token = `${networkId}.${randomBytes(32).toString('base64url')}`;
  const now = context.now();
  const expiresAt = new Date(now.getTime() + URL_MS);
  await context.transaction(
    async (session) => {
      await requireExportRight(context, session, userId);
      await context.store.collections.userExports.insertOne(
        {
          _id: new ObjectId(),
          ...{ networkId, tokenHash: hashOf(token), userId, sessionId, expiresAt, createdAt: now, updatedAt: now },
        },
        { session },
      );
      const act = { action: 'exportUser', subjectType: 'user', subjectId: userId, affectedUserId: userId } as const;
      // Also for the viewer's own data: somebody else may use the session.
      await recordAudit(context, session, [{ ...act, reason: given.reason || null }]);
    },
    lockFor(context, 'user', viewer.userId),
  );
  return { userId, url: `${context.publicUrl}/exports?token=${token}`, expiresAt };
}

/**
 * Uses up the URL of an export: of several concurrent downloads one succeeds. Checks again what {@link exportUser} did,
 * because the session and its rights may have ended.
 *
 * @param context with the viewer of the session that {@link findExport} returned
 * @returns the removed record, which {@link restoreExport} takes
 * @throws {OperationError} NOT_FOUND for a URL that was used or has expired; PERMISSION_DENIED
 */
export async function takeExport(context: Context, token: string): Promise<UserExportRecord> {
  const { networkId, userId: viewerId } = viewerOf(context);
  return context.transaction(
    async (session) => {
      const { userExports } = context.store.collections;
      const found = await userExports.findOneAndDelete({ networkId, tokenHash: hashOf(token) }, { session });
      if (!found || context.hasPassed(found.expiresAt)) throw notFound('Export');
      const { userId } = found;
      await requireExportRight(context, session, userId);
      const act = { action: 'downloadExport', subjectType: 'user', subjectId: userId, affectedUserId: userId } as const;
      await recordAudit(context, session, [act]);
      return found;
    },
    lockFor(context, 'user', viewerId),
  );
}

/** Makes the URL of an export valid again, for as long as a new one, because the gateway ends before the download is complete. */
export async function restoreExport(
  { store, now }: Pick<Context, 'store' | 'now'>,
  taken: UserExportRecord,
): Promise<void> {
  const updatedAt = now();
  const expiresAt = new Date(updatedAt.getTime() + URL_MS);
  await store.collections.userExports.insertOne({ ...taken, expiresAt, updatedAt });
}

/** The session that requested the export of a token; null if there is none, or it was downloaded. */
export async function findExport(
  { store }: Pick<Context, 'store'>,
  token: string,
): Promise<{ networkId: string; sessionId: string } | null> {
  const networkId = token.slice(0, Math.max(0, token.lastIndexOf('.')));
  return store.collections.userExports.findOne({ networkId, tokenHash: hashOf(token) });
}

/** Conflicts with a concurrent change of the rights of the viewer, and of the roles of the user. */
async function requireExportRight(context: Context, session: ClientSession, userId: string): Promise<void> {
  const { networkId } = viewerOf(context);
  const own = await requireNetworkRight(context, session, (viewer) => canExportUser(viewer, { userId }));
  const user = await context.store.collections.users.findOneAndUpdate(
    { networkId, userId },
    { $set: { touchedAt: context.now() } },
    { session },
  );
  if (!user) throw notFound('User');
  if (userId === viewerOf(context).userId) return;
  const rankOf = await rankOfRoles(context);
  if (rankOf(user.roles) > own.rank) {
    throw new OperationError('PERMISSION_DENIED', { message: 'This user ranks higher than you.', path: ['userId'] });
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
