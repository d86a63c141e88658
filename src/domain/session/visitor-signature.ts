import { createHmac, timingSafeEqual } from 'node:crypto';
import { OperationError } from '../../errors.ts';
import type { NetworkRecord } from '../../store/records/user.ts';
import { validKeys } from '../network/keys/network-keys.ts';

export interface SignedVisit {
  deviceId: string;
  authSignature?: string | null | undefined;
  authSignatureExpiresAt?: string | null | undefined;
}

/**
 * Checks that the application's server signed a visit: HMAC-SHA256 in hex of
 * `deviceId=<deviceId>&authSignatureExpiresAt=<text as sent>`. The key is the SHA-256 of a valid server key in hex, because
 * server keys themselves are not stored.
 *
 * @returns false for a visit without a signature, which secure mode does not accept
 * @throws {OperationError} UNAUTHORIZED for a wrong or expired signature, and in secure mode for none
 */
export function checkVisitorSignature(
  network: NetworkRecord,
  { deviceId, authSignature, authSignatureExpiresAt }: SignedVisit,
  now: Date,
): boolean {
  if (!authSignature) {
    if (!network.secureMode) return false;
    throw new OperationError('UNAUTHORIZED', { message: 'An authSignature is required.' });
  }
  const signed = `deviceId=${deviceId}&authSignatureExpiresAt=${authSignatureExpiresAt ?? ''}`;
  const given = Buffer.from(authSignature, 'hex');
  const isGenuine = validKeys(network, 'server', now).some(({ hash }) => {
    const expected = createHmac('sha256', hash).update(signed, 'utf8').digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  // An unreadable time gives NaN, which is not later than now.
  if (!isGenuine || !(Date.parse(authSignatureExpiresAt ?? '') > now.getTime())) {
    throw new OperationError('UNAUTHORIZED', { message: 'The authSignature is not valid.' });
  }
  return true;
}
