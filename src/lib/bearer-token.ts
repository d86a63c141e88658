/** The token of an `Authorization` header of the scheme `Bearer`; null for any other header, or none. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
