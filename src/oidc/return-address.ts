import type { AllowedOrigins } from '../http/allowed-origins.ts';

const MAX_LENGTH = 2_000;

/**
 * The address to which a sign-in returns: one of this gateway, or of an origin that `CORS_ORIGINS` lists. A wildcard
 * lists none, because the address receives a code.
 *
 * @param given an absolute address, or one relative to the gateway
 * @returns null for any other address
 */
export function returnAddressOf(given: unknown, publicUrl: string, origins: AllowedOrigins): URL | null {
  if (given !== undefined && (typeof given !== 'string' || given.length > MAX_LENGTH)) return null;
  // Parsed as browsers do, so that `//other.example` and `/\other.example` are addresses of that host.
  if (!URL.canParse(given ?? '/', publicUrl)) return null;
  const address = new URL(given ?? '/', publicUrl);
  const isWeb = address.protocol === 'https:' || address.protocol === 'http:';
  if (!isWeb || address.username !== '' || address.password !== '') return null;
  const isListed = origins.patterns !== '*' && origins.includes(address.origin);
  return isListed || address.origin === new URL(publicUrl).origin ? address : null;
}
