import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { NetworkRecord, UserRecord } from '../../store/records/user.ts';
import { VISITOR_SESSION_MS, visitorRecord } from '../../store/visitor-record.ts';
import { text, validate } from '../input.ts';
import { networkOfApiKey } from '../network/find-network.ts';
import { type CreatedSession, insertSession, issueToken } from './insert-session.ts';
import { checkVisitorSignature } from './visitor-signature.ts';

export const createVisitorSessionInput = z.object({
  deviceId: text({ max: 150 }).describe(
    'Id of the device, from which the id of the visitor derives. Sessions of other users on it end.',
  ),
  isBot: z
    .boolean()
    .nullish()
    .describe('Whether the visitor is a program, such as the crawler of a search engine. Default: false.'),
  authSignature: text({ min: 0, max: 64 })
    .nullish()
    .describe(
      'HMAC-SHA256, in 64 hex digits, with which the server of the application authorizes the visit; required in secure mode.',
    ),
  authSignatureExpiresAt: text({ min: 0, max: 50 })
    .nullish()
    .describe('When the signature expires, as the ISO 8601 text that was signed.'),
});
export type CreateVisitorSessionInput = z.input<typeof createVisitorSessionInput>;

/**
 * Creates the read-only session of a visitor or bot. They have no account: their id derives from the device, and only the
 * session is stored. Emits no events.
 *
 * @throws {OperationError} UNAUTHORIZED for a wrong API key or signature; NOT_FOUND without a signature if the network does
 *   not create users at sign-in; INVALID_PARAMETERS
 */
export async function createVisitorSession(
  context: Context,
  given: CreateVisitorSessionInput,
): Promise<CreatedSession> {
  const input = validate(createVisitorSessionInput, given);
  const network = await networkOfApiKey(context);
  const isSigned = checkVisitorSignature(network, input, context.now());
  if (!isSigned && !network.createsUnknownUsers) throw new OperationError('NOT_FOUND', { message: 'User not found.' });
  const user = visitorOf(context, network, input);
  const session = await context.transaction(
    (transaction) =>
      insertSession(context, transaction, { user, deviceId: input.deviceId, lifetime: VISITOR_SESSION_MS }),
    { key: `user ${network.networkId} ${user.userId}` },
  );
  return issueToken(context, session, user);
}

/**
 * The ids of a device are the same in each of its sessions. They reveal neither the id of the device nor that it visits
 * another network.
 */
function visitorOf(
  context: Context,
  { networkId }: NetworkRecord,
  { deviceId, isBot }: z.output<typeof createVisitorSessionInput>,
): UserRecord {
  const userType = isBot ? 'bot' : 'visitor';
  const digest = createHash('sha256').update(`${networkId}/${deviceId}`, 'utf8').digest('hex');
  // Two types of user on a device must not share an internal id: paths contain it.
  const internal = createHash('sha256').update(`${networkId}/${userType}/${digest}`, 'utf8').digest('hex');
  return visitorRecord({
    networkId,
    userType,
    userId: `${userType}-${digest.slice(0, 40)}`,
    userInternalId: internal.slice(0, 24),
    expiresAt: new Date(context.now().getTime() + VISITOR_SESSION_MS),
  });
}
