import { OperationError } from '../errors.ts';
import type { ProvenPerson } from './provider.ts';

export interface ClaimedProfile {
  /** Null without a claim for ids. */
  userId: string | null;
  displayName: string | null;
  avatarUrl: string | null;
}

const MAX_NAME = 100;
const MAX_URL = 2_000;

/**
 * The profile that claims describe: `name`, `preferred_username` or `nickname`, and `picture`.
 * @param userIdClaim the claim that contains the public id; null for none
 * @throws {OperationError} FORBIDDEN without that claim, and for an email address that the provider has not verified
 */
export function profileOf({ claims }: Pick<ProvenPerson, 'claims'>, userIdClaim: string | null): ClaimedProfile {
  const texts = [claims.name, claims.preferred_username, claims.nickname].map(nameOf);
  const { picture } = claims;
  const isAddress = typeof picture === 'string' && picture.length <= MAX_URL && /^https:\/\/\S+$/.test(picture);
  return {
    userId: userIdClaim === null ? null : userIdOf(claims, userIdClaim),
    displayName: texts.find((text) => text !== null) ?? null,
    avatarUrl: isAddress && URL.canParse(picture) ? picture : null,
  };
}

function userIdOf(claims: ProvenPerson['claims'], name: string): string {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') {
    throw new OperationError('FORBIDDEN', { message: `The provider sent no claim ${name}.` });
  }
  if (name === 'email' && claims.email_verified !== true) {
    throw new OperationError('FORBIDDEN', { message: 'The provider has not verified this email address.' });
  }
  return value;
}

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.toWellFormed().trim().slice(0, MAX_NAME).toWellFormed();
  return name === '' ? null : name;
}
