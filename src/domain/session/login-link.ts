import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { withoutEndedBan } from '../../store/ended-bans.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { globallyBanned } from '../ban/globally-banned.ts';
import { text, validate } from '../input.ts';
import { addLoginLink, type LoginLink, takeLoginLink } from '../network/login-links.ts';
import { findOrCreateUser } from '../user/find-or-create-user.ts';
import { type CreatedSession, insertSession, issueToken } from './insert-session.ts';

/** Lifetime of a session that a link opens: a day of work in the console. */
const LINK_SESSION_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const consumeLoginLinkInput = z.object({
  token: text({ max: 200 }).describe('Token of the link: the part of its address after `#`.'),
});

/**
 * Creates a link that signs a user in once, for the operator of the gateway.
 * @throws {OperationError} NOT_FOUND; GLOBALLY_BANNED
 */
export async function createLoginLink(
  context: Context,
  { networkId, userId, minutes }: LoginLink & { minutes: number },
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(context.now().getTime() + minutes * MINUTE_MS);
  const token = await context.transaction(async (session) => {
    if (!(await findSignable(context, session, { networkId, userId }))) throw notFound('User');
    const act = { action: 'createLoginLink', subjectType: 'user', subjectId: userId, affectedUserId: userId } as const;
    await recordAudit(context, session, [act], { networkId });
    return addLoginLink(context, session, { networkId, userId, expiresAt });
  });
  return { token, expiresAt };
}

/**
 * Signs in the user of a link, which is used up: of several concurrent calls one succeeds.
 * @throws {OperationError} UNAUTHORIZED for a link that does not exist, was used or has expired; GLOBALLY_BANNED;
 *   INVALID_PARAMETERS
 */
export async function consumeLoginLink(
  context: Context,
  input: z.input<typeof consumeLoginLinkInput>,
): Promise<CreatedSession> {
  const { token } = validate(consumeLoginLinkInput, input);
  const { user, session } = await context.transaction(async (transaction) => {
    const link = await takeLoginLink(context, transaction, token);
    const user = link && (await findSignable(context, transaction, link));
    if (!user) {
      throw new OperationError('UNAUTHORIZED', { message: 'This link was used, has expired, or does not exist.' });
    }
    const session = await insertSession(context, transaction, { user, deviceId: null, lifetime: LINK_SESSION_MS });
    return { user, session };
  });
  return issueToken(context, session, user);
}

/** The user if they exist. Conflicts with a concurrent ban or deletion, as a sign-in does. */
async function findSignable(
  context: Context,
  session: ClientSession,
  { networkId, userId }: LoginLink,
): Promise<UserRecord | null> {
  const wanted = { networkId, userId, displayName: userId, createsUnknown: false };
  const found = await findOrCreateUser(context, session, wanted);
  const user = found && withoutEndedBan(found.user, context.hasPassed);
  if (user?.isGlobalBan) throw globallyBanned(user);
  return user?.isDeleted ? null : user;
}
